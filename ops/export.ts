import { exportTables } from "./backup/export-tables.ts";
import { runOperatorCommand } from "./operator-command.ts";

await runOperatorCommand({
  name: "export",
  description: `Writes all items of a stage's tables to a file of JSON lines.
They include password hashes.

The stage may be in use: an import corrects totals and completes orders. For a copy of one moment, export while nothing writes.`,
  arguments: {
    file: { type: "string", isRequired: true, description: "the new file, such as backup.jsonl" },
  },
  async run({ file }, { stage, print }) {
    const items = await exportTables(stage, file);
    print(`Exported ${items.toLocaleString("en")} items of ${stage.name} to ${file}.`);
  },
});
