import { setTimeout as wait } from "node:timers/promises";
import { tablesWithIds } from "../functions/definitions.ts";
import { repair } from "../functions/repair/repair.ts";
import { runOperatorCommand, waitOption } from "./operator-command.ts";

await runOperatorCommand({
  name: "repair",
  hasDryRun: true,
  description: `Repairs what a crash can leave behind: allocated ids without a record, which totals and pages count until
they are marked as deleted (docs/adr/0003), and orders that have their stock and no id, which it completes
(docs/writes.md). It also corrects numbers of deleted ids and entries of tags, and names the records that are
damaged.

It is safe to run beside live traffic, and repeatedly. It reads every record twice.`,
  options: {
    wait: waitOption,
  },
  async run({ wait: seconds }, { stage, isDryRun, progress, print }) {
    const would = isDryRun ? "would be " : "";
    progress(`Checking ${tablesWithIds.join(", ")}`);
    const { completed } = await repair(stage.dynamodb, tablesWithIds, stage.table, {
      isDryRun,
      async wait() {
        if (seconds === 0) return;
        progress(`Waiting ${seconds} seconds for running creations to finish`);
        await wait(seconds * 1_000);
        progress("Reading the records");
      },
      onTable({ table, last, unmarked, mismarked, miscounted, entries, damaged }) {
        const others = { unmarked: mismarked, recounted: miscounted, "tag entries corrected": entries };
        const found = Object.entries(others)
          .filter(([, count]) => count > 0)
          .map(([what, count]) => `, ${count} ${would}${what}`);
        print(
          `${table.area.padEnd(9)} ids up to ${last}: ${unmarked} ${would}marked as deleted${found.join("")}`,
        );
        for (const message of damaged) print(`${table.area.padEnd(9)} ${message}`);
      },
    });
    print(`${"orders".padEnd(9)} abandoned: ${completed} ${would}completed`);
  },
});
