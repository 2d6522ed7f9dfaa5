import { tablesWithIds } from "../../functions/definitions.ts";
import { repair, repairsOf } from "../../functions/repair/repair.ts";
import type { TableModel } from "../stack/model.ts";
import type { EngineAddress } from "./dynamodb-call.ts";
import { withTables } from "./seed.ts";

/** Orders count as abandoned even if the clock was set back by a day since. */
const CLOCK_DIFFERENCE_MS = 24 * 60 * 60_000;

/** As `npm run repair`, but does not wait: nothing else uses the tables. @returns a summary, for people */
export async function repairTables(engine: EngineAddress, tables: readonly TableModel[]): Promise<string> {
  const repaired = await withTables(engine, tables, (client, findTable) =>
    repair(client, tablesWithIds, findTable, {
      wait: async () => undefined,
      abandonedAfterMs: -CLOCK_DIFFERENCE_MS,
    }),
  );
  const ids = repaired.tables.reduce((sum, table) => sum + repairsOf(table), 0);
  const damaged = repaired.tables.reduce((sum, table) => sum + table.damaged.length, 0);
  const found = `${plural(ids, "id")} without a record, ${plural(repaired.completed, "abandoned order")}`;
  return damaged === 0 ? found : `${found}, ${plural(damaged, "damaged record")} (named by npm run repair)`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
