import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { TableName } from "../../lib/areas.ts";
import { embeddedMetrics, log } from "../../lib/log/log.ts";
import { repair } from "../../lib/repositories/repair/repair.ts";

const metrics = embeddedMetrics({ dimensions: ["service"], metrics: { repairs: "Count" } });

/**
 * Repairs the ids that were allocated since its last run, and releases abandoned stock. If there was something to
 * repair, it logs what, and emits the metric `repairs`.
 *
 * @param wait waits a number of milliseconds
 * @throws ApiError `ServiceUnavailable`; the next run continues
 */
export async function repairAndReport(
  client: DynamoDBDocumentClient,
  tableOf: (area: TableName) => string,
  wait: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  const { tables, released } = await repair(client, tableOf, { wait, isIncremental: true });
  const repairs = tables.reduce((sum, { unmarked, mismarked }) => sum + unmarked + mismarked, released);
  if (repairs === 0) return;
  const ids = tables
    .filter(({ unmarked, mismarked }) => unmarked + mismarked > 0)
    .map(({ table: { area }, unmarked, mismarked }) => ({ area, unmarked, mismarked }));
  log("WARN", "repaired", { ids, released, repairs }, metrics);
}
