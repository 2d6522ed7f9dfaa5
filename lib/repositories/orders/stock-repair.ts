import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { unchanged, updateOf } from "../../dynamodb/expressions.ts";
import { getItem, queryAll, rangeQuery, type StoredItem } from "../../dynamodb/query.ts";
import { updateItem } from "../../dynamodb/update.ts";
import { operationsOn } from "../../records/exactly-once.ts";
import { IdAllocation } from "../../records/id-allocation.ts";
import { blockOf, recordKey } from "../../records/id-blocks.ts";
import type { OrderTables, Reservation, Reservations } from "./reservations.ts";

const PlacedOrder = z.object({
  items: z.array(z.object({ product_id: z.int(), quantity: z.int() })),
  operation: z.string(),
  changes: z.array(z.int()),
});

/** What orders deducted after a product was copied: how much, and how often its stock had changed then. */
interface Later {
  readonly quantity: number;
  readonly changes: number;
}

/**
 * Corrects the stock of tables that are copies, in which each product is older than the orders
 * (docs/adr/0029). Reads all of both. Beside live traffic nothing is wrong, and nothing is changed.
 *
 * @returns how many products were wrong
 */
export async function repairStock(
  client: DynamoDBDocumentClient,
  tables: OrderTables,
  reservations: Reservations,
  isDryRun = false,
): Promise<number> {
  const products = await readProducts(client, tables.products);
  const { placed, later } = await readOrders(client, tables.orders, products);
  const reserved = await reservations.findAbandoned(Number.NEGATIVE_INFINITY);
  const byOperation = new Map(reserved.map((reservation) => [reservation.entry, reservation]));
  let wrong = 0;
  for (const [id, product] of products) {
    const { quantity, changes } = later.get(id) ?? { quantity: 0, changes: changesOf(product) };
    let stock = Number(product.stock) - quantity;
    const ended: string[] = [];
    for (const operation of operationsOn(product)) {
      const isPlaced = placed.has(operation);
      if (await willEnd(client, tables.orders, byOperation.get(operation), isPlaced)) continue;
      ended.push(operation);
      if (!isPlaced) stock += Number(product[operation]);
    }
    if (quantity === 0 && ended.length === 0) continue;
    // Somebody may have raised the stock between the product and the orders.
    const after = { stock: Math.max(0, stock), stockChanges: changes + ended.length };
    const update = updateOf(after, unchanged({ ...product }), ended);
    const key = { TableName: tables.products, Key: recordKey(id) };
    const { isDone } = isDryRun ? { isDone: true } : await updateItem(client, { ...key, ...update });
    wrong += Number(isDone);
  }
  return wrong;
}

/** Their stock, its changes and their operations, by id. */
async function readProducts(client: DynamoDBDocumentClient, table: string) {
  const products = new Map<number, StoredItem>();
  for await (const { sk, stock, stockChanges, ...rest } of recordsIn(client, table)) {
    const operations = Object.fromEntries(operationsOn(rest).map((name) => [name, rest[name]]));
    if (Number.isInteger(stock)) products.set(Number(sk), { stock, stockChanges, ...operations });
  }
  return products;
}

async function readOrders(
  client: DynamoDBDocumentClient,
  table: string,
  products: ReadonlyMap<number, StoredItem>,
) {
  const placed = new Set<string>();
  const later = new Map<number, Later>();
  for await (const item of recordsIn(client, table)) {
    const { data: order } = PlacedOrder.safeParse(item);
    if (order === undefined) continue;
    placed.add(order.operation);
    const ids = [...new Set(order.items.map(({ product_id }) => product_id))];
    for (const { product_id: id, quantity } of order.items) {
      const changes = order.changes[ids.indexOf(id)] ?? 0;
      const product = products.get(id);
      if (!product || order.operation in product || changes <= changesOf(product)) continue;
      const sum = later.get(id) ?? { quantity: 0, changes };
      later.set(id, { quantity: sum.quantity + quantity, changes: Math.max(sum.changes, changes) });
    }
  }
  return { placed, later };
}

/** Whether an operation is ended with its reservation: by the order in progress, or when that is released. */
async function willEnd(
  client: DynamoDBDocumentClient,
  table: string,
  reservation: Reservation | undefined,
  isPlaced: boolean,
): Promise<boolean> {
  if (reservation?.order_id === undefined) return reservation !== undefined && !isPlaced;
  return (await getItem(client, table, recordKey(reservation.order_id))) !== undefined;
}

function changesOf({ stockChanges = 0 }: StoredItem): number {
  return Number(stockChanges);
}

async function* recordsIn(client: DynamoDBDocumentClient, table: string): AsyncGenerator<StoredItem> {
  const { last } = await new IdAllocation(client, table).read();
  for (let block = 0; block <= blockOf(last); block += 1)
    yield* await queryAll(client, rangeQuery(table, String(block)));
}
