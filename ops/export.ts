import { exportTables } from "./backup/export-tables.ts";
import { runOperatorCommand } from "./operator-command.ts";

await runOperatorCommand({
  name: "export",
  description: `Writes all items of a stage's tables to a directory, as JSON lines in the format of DynamoDB's own exports.
They include password hashes. An export that was interrupted continues in its directory.

The stage may be in use: an import corrects totals and completes orders. For a copy of one moment, export while nothing writes.`,
  arguments: {
    directory: { type: "string", isRequired: true, description: "where to write: a new or empty directory" },
  },
  async run({ directory }, { stage, isDryRun, print }) {
    const items = await exportTables(stage, directory, isDryRun);
    print(
      isDryRun
        ? `Would have exported the tables of ${stage.name} to ${directory}.`
        : `Exported ${items.toLocaleString("en")} items of ${stage.name} to ${directory}.`,
    );
  },
});
