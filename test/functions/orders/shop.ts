import { type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { OrdersRepository } from "../../../lib/repositories/orders/orders.ts";
import { OrderPlacement, PARTITIONS } from "../../../lib/repositories/orders/placement.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import type { Product } from "../../../lib/validators/product.ts";
import { testClient } from "../../support/database/database.ts";
import { injectFaults, type Plan } from "../../support/database/faults.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

/** The orders and products tables, and the repositories on them. */
export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Creates the tables of a new shop. */
export async function openShop(endpoint: string) {
  const tables = {
    orders: await stackTable(endpoint, "orders"),
    products: await stackTable(endpoint, "products"),
  };
  /** Of the orders' times. */
  const clock = { now: new Date("2026-03-01T12:00:00.000Z") };
  const products = new ProductsRepository(testClient(endpoint), tables.products);
  const now = () => clock.now;
  const placementWith = (client: DynamoDBDocumentClient) => new OrderPlacement(client, tables, now);
  /** Another process on the same tables, with its own client and its own faults. */
  const newProcess = (plan?: Plan) => {
    const client = testClient(endpoint);
    if (plan) injectFaults(client, plan);
    const orders = new OrdersRepository(client, tables.orders, now);
    return { client, orders, placement: placementWith(client) };
  };
  const { orders, placement } = newProcess();
  return {
    tables,
    products,
    clock,
    newProcess,
    placementWith,
    orders,
    placement,
    /** Creates a product. */
    offer: async (fields?: Partial<Omit<Product, "id">>) => {
      const { record } = await products.create(
        { name: "Kettle", description: "", price: 10, stock: 10, category: "kitchen", ...fields },
        undefined,
      );
      return record;
    },
    stockOf: async ({ id }: Product) => (await products.get(id))?.stock ?? Number.NaN,
    /** Lets so much time pass that pending orders count as abandoned. */
    waitAMinute: () => {
      clock.now = new Date(clock.now.getTime() + 60_000);
    },
    /** How many orders are pending. */
    pending: async () => {
      const { Items: items = [] } = await newProcess().client.send(
        new ScanCommand({ TableName: tables.orders, ConsistentRead: true }),
      );
      return items.filter(({ pk }) => PARTITIONS.includes(pk)).length;
    },
  };
}

/** Creates the tables of a new shop that offers one product. */
export async function withKettle(endpoint: string, fields?: Parameters<Shop["offer"]>[0]) {
  const shop = await openShop(endpoint);
  return { shop, kettle: await shop.offer(fields) };
}
