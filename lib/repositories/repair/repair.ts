import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type TableName, type TableWithIds, tablesWithIds } from "../../areas.ts";
import { ABANDONED_AFTER_MS, Reservations } from "../orders/reservations.ts";
import { type IdRepairOptions, type IdRepairResult, type IdTable, repairIds } from "./id-repair.ts";

export interface AreaTable extends IdTable {
  readonly area: TableWithIds;
}

interface RepairOptions extends IdRepairOptions<AreaTable> {
  /** The age in milliseconds from which a reservation counts as abandoned; a minute by default. */
  readonly abandonedAfterMs?: number;
}

/** What was repaired, or would have been in a dry run. */
export interface RepairResult {
  readonly tables: readonly IdRepairResult<AreaTable>[];
  /** The number of released stock reservations. */
  readonly released: number;
}

/**
 * Repairs what a crash may leave: allocated ids without a record (docs/adr/0003), and stock that is reserved for
 * orders that were never placed (docs/adr/0007).
 *
 * @param tableOf finds the table of an area; areas without one are skipped
 * @throws ApiError `ServiceUnavailable`; what was repaired until then stays repaired, the rest is unchanged
 * @see repairIds
 */
export async function repair(
  client: DynamoDBDocumentClient,
  tableOf: (area: TableName) => string | undefined,
  { abandonedAfterMs = ABANDONED_AFTER_MS, ...options }: RepairOptions,
): Promise<RepairResult> {
  const idTables = tablesWithIds.flatMap((area): AreaTable[] => {
    const name = tableOf(area);
    return name === undefined ? [] : [{ area, name }];
  });
  const tables = await repairIds(client, idTables, options);
  const [orders, products] = [tableOf("orders"), tableOf("products")];
  if (orders === undefined || products === undefined) return { tables, released: 0 };
  const reservations = new Reservations(client, { orders, products }, () => new Date());
  const released = options.isDryRun
    ? (await reservations.findAbandoned(abandonedAfterMs)).length
    : await reservations.releaseAbandoned(abandonedAfterMs);
  return { tables, released };
}
