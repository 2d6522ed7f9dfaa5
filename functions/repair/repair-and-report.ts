import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { logDamage } from "../../lib/log/log.ts";
import { repair, repairsOf } from "./repair.ts";

/** How many damaged records of a table are named; all are counted. */
const MAX_NAMED = 10;

/**
 * Repairs the ids that were allocated since its last run and checks their records, and releases abandoned stock. If it
 * found something, it logs what, with the metric `damages`.
 *
 * @param tablesWithIds the names of the tables whose records have ids
 * @param wait waits a number of milliseconds
 * @throws ApiError `ServiceUnavailable`; the next run continues
 */
export async function repairAndReport(
  client: DynamoDBDocumentClient,
  tablesWithIds: readonly string[],
  tableOf: (name: string) => string,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  const { tables, released } = await repair(client, tablesWithIds, tableOf, { wait, isIncremental: true });
  const found = tables.filter((table) => repairsOf(table) + table.damaged.length > 0);
  const damages = found.reduce((sum, table) => sum + repairsOf(table) + table.damaged.length, released);
  if (damages === 0) return;
  const reported = found.map(({ table: { area }, last: _, damaged, ...repairs }) => ({
    area,
    ...repairs,
    damagedRecords: damaged.length,
    damaged: damaged.slice(0, MAX_NAMED),
  }));
  logDamage("repaired", damages, { tables: reported, released });
}
