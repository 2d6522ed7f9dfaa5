import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { embeddedMetrics, log } from "../../lib/log/log.ts";
import { repair } from "./repair.ts";

const metrics = embeddedMetrics({ dimensions: ["service"], metrics: { repairs: "Count" } });

/**
 * Repairs the ids that were allocated since its last run, and releases abandoned stock. If there was something to
 * repair, it logs what, and emits the metric `repairs`.
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
  const repairs = tables.reduce((sum, { unmarked, mismarked }) => sum + unmarked + mismarked, released);
  if (repairs === 0) return;
  const ids = tables
    .filter(({ unmarked, mismarked }) => unmarked + mismarked > 0)
    .map(({ table: { area }, unmarked, mismarked }) => ({ area, unmarked, mismarked }));
  log("WARN", "repaired", { ids, released, repairs }, metrics);
}
