import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { ABANDONED_AFTER_MS, Reservations } from "../orders/reservations.ts";
import { type IdRepairOptions, type IdRepairResult, type IdTable, repairIds } from "./id-repair.ts";

/** The areas whose records have ids. Items may be 400 KB each: their names' index is read instead. */
export const areasWithIds = ["items", "orders", "posts", "products", "todos", "users"] as const;
type Area = (typeof areasWithIds)[number];
const indexes: { readonly [A in Area]?: string } = { items: "names" };

export interface AreaTable extends IdTable {
  readonly area: Area;
}

interface RepairOptions extends IdRepairOptions<AreaTable> {
  /** How old a reservation is, in milliseconds, that nobody works on any more; a minute unless told. */
  readonly abandonedAfterMs?: number;
}

/** What was mended, or would have been. */
export interface RepairResult {
  readonly tables: readonly IdRepairResult<AreaTable>[];
  /** How many reservations of stock were given back. */
  readonly released: number;
}

/**
 * Mends what a crash may have left behind: ids that were drawn and name no record (docs/adr/0003), and stock that is
 * reserved for orders which will never be (docs/adr/0007).
 *
 * @param client from `documentClient`
 * @param tableOf an area's table; an area that has none is passed over
 * @throws ApiError `ServiceUnavailable`; what was mended by then is right, and the rest as it was
 * @see repairIds
 */
export async function repair(
  client: DynamoDBDocumentClient,
  tableOf: (area: Area) => string | undefined,
  { abandonedAfterMs = ABANDONED_AFTER_MS, ...options }: RepairOptions,
): Promise<RepairResult> {
  const counted = areasWithIds.flatMap((area): AreaTable[] => {
    const name = tableOf(area);
    const index = indexes[area];
    return name === undefined ? [] : [{ area, name, ...(index !== undefined && { index }) }];
  });
  const tables = await repairIds(client, counted, options);
  const [orders, products] = [tableOf("orders"), tableOf("products")];
  if (orders === undefined || products === undefined) return { tables, released: 0 };
  const reservations = new Reservations(client, { orders, products }, () => new Date());
  const released = options.isDryRun
    ? (await reservations.findAbandoned(abandonedAfterMs)).length
    : await reservations.releaseAbandoned(abandonedAfterMs);
  return { tables, released };
}
