import { setTimeout as wait } from "node:timers/promises";
import { CREATIONS_END_AFTER_MS } from "../lib/repositories/repair/id-repair.ts";
import { areasWithIds, repair } from "../lib/repositories/repair/repair.ts";
import { UsageError } from "./cli/errors.ts";
import { refuseOperands, runCommand } from "./cli/operator-command.ts";

const SECONDS = CREATIONS_END_AFTER_MS / 1_000;

await runCommand({
  name: "repair",
  synopsis: "[--wait seconds]",
  help: `Mends what a crash may have left behind: ids that were drawn and name no record, which totals and pages count
until then (docs/adr/0003), and stock that is reserved for orders which will never be (docs/adr/0007).

It may run beside live traffic, and as often as wanted. It reads every record once, in units of 4 KB.

  --wait      how long creations that are under way are given to end (${SECONDS} seconds); less only where nothing
              else writes`,
  options: { wait: { type: "string" } },
  check({ wait: seconds }, operands) {
    refuseOperands(operands);
    if (seconds !== undefined && !/^\d{1,4}$/.test(seconds))
      throw new UsageError(`--wait is a number of whole seconds, not "${seconds}".`);
  },
  async run({ options: { wait: seconds = String(SECONDS) }, stage, isDryRun, progress, print }) {
    progress(`Recounting ${areasWithIds.join(", ")}`);
    const { released } = await repair(stage.dynamodb, stage.table, {
      isDryRun,
      async wait() {
        if (Number(seconds) === 0) return;
        progress(`Giving creations that are under way ${seconds} seconds to end`);
        await wait(Number(seconds) * 1_000);
      },
      onTable({ table, last, unmarked, mismarked }) {
        const found = isDryRun ? "would be entered as gone" : "entered as gone";
        const back = mismarked === 0 ? "" : `, ${mismarked} taken out again`;
        print(`${table.area.padEnd(9)} ids up to ${last}: ${unmarked} ${found}${back}`);
      },
    });
    print(
      `${"stock".padEnd(9)} ${released} abandoned reservations ${isDryRun ? "would be given" : "given"} back`,
    );
  },
});
