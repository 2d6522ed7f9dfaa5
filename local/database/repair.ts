import { repair } from "../../lib/repositories/repair/repair.ts";
import type { TableModel } from "../stack/model.ts";
import { withTables } from "./with-tables.ts";

/** A clock that was set back since makes a reservation one of tomorrow: it is abandoned all the same. */
const CLOCK_DIFFERENCE_MS = 24 * 60 * 60_000;

/**
 * Mends what a run that was killed has left behind, as `npm run repair` does. Nothing else works on the data yet, so
 * there is nothing to wait for.
 *
 * @param endpoint the engine's URL
 * @param tables the stack's tables
 * @returns what was mended, in a line
 * @throws ApiError `ServiceUnavailable` when the engine does not answer
 */
export async function repairTables(endpoint: string, tables: readonly TableModel[]): Promise<string> {
  const nothing = async () => undefined;
  const mended = await withTables(endpoint, tables, (client, findTable) =>
    repair(client, findTable, { wait: nothing, abandonedAfterMs: -CLOCK_DIFFERENCE_MS }),
  );
  const ids = mended.tables.reduce((sum, { unmarked, mismarked }) => sum + unmarked + mismarked, 0);
  return `${plural(ids, "id")} without a record, ${plural(mended.released, "reservation")} of stock`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
