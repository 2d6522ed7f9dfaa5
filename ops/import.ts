import { tablesWithIds } from "../functions/definitions.ts";
import { repair } from "../functions/repair/repair.ts";
import { importTables } from "./backup/import-tables.ts";
import { runOperatorCommand } from "./operator-command.ts";

await runOperatorCommand({
  name: "import",
  hasDryRun: true,
  description: `Writes the items that npm run export has written into a stage without records, repairs ids and
completes orders. Accounts with the same names are replaced. --again repeats an import that failed.

Nothing else may write to the stage meanwhile.`,
  arguments: {
    file: { type: "string", isRequired: true, description: "what npm run export has written" },
  },
  options: {
    again: { type: "boolean", description: "write over what an import of the same file has written" },
  },
  async run({ file, again: isAgain }, { stage, isDryRun, progress, print }) {
    const items = (await importTables(stage, file, { isDryRun, isAgain })).toLocaleString("en");
    if (isDryRun) return print(`Would have imported ${items} items into ${stage.name}.`);
    progress("Repairing ids and orders");
    // Nothing else writes, so no creation is running.
    const { completed } = await repair(stage.dynamodb, tablesWithIds, stage.table, {
      wait: async () => undefined,
      // The same is true of orders.
      abandonedAfterMs: Number.NEGATIVE_INFINITY,
      onTable: ({ table, last }) => progress(`${table.area}: ids up to ${last}`),
    });
    print(`Imported ${items} items into ${stage.name}, completed ${completed} orders.`);
  },
});
