import { type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import type { Product } from "../../lib/validators/product.ts";
import { recordTable, testClient } from "./database.ts";
import { injectFaults, type Plan } from "./faults.ts";

/** Two empty tables, and what works on them. */
export interface Shop {
  readonly tables: { readonly orders: string; readonly products: string };
  readonly products: ProductsRepository;
  readonly orders: OrdersRepository;
  /** The time that its orders are given; set it to let time pass. */
  readonly clock: { now: Date };
  /** Another process that works on the same tables, through a client of its own with its own faults. */
  staff(plan?: Plan): { readonly client: DynamoDBDocumentClient; readonly orders: OrdersRepository };
  /** The orders as a process with this client sees them. */
  ordersOf(client: DynamoDBDocumentClient): OrdersRepository;
  /** Puts a product up for sale. */
  offer(fields?: Partial<Omit<Product, "id">>): Promise<Product>;
  /** The stock of a product as it is now. */
  stockOf(product: Product): Promise<number>;
  /** How many orders have been begun and neither finished nor undone. */
  reserved(): Promise<number>;
}

/** Opens a shop of its own on an engine. */
export async function openShop(endpoint: string): Promise<Shop> {
  const tables = {
    orders: await recordTable(endpoint, "N", { "by-status": ["status", "S"], "by-user": ["user_id", "N"] }),
    products: await recordTable(endpoint),
  };
  const clock = { now: new Date("2026-03-01T12:00:00.000Z") };
  const products = new ProductsRepository(testClient(endpoint), tables.products);
  const ordersOf = (client: DynamoDBDocumentClient) => new OrdersRepository(client, tables, () => clock.now);
  const staff = (plan?: Plan) => {
    const client = testClient(endpoint);
    if (plan) injectFaults(client, plan);
    return { client, orders: ordersOf(client) };
  };
  return {
    tables,
    products,
    clock,
    staff,
    ordersOf,
    orders: staff().orders,
    offer: async (fields) => {
      const { record } = await products.create(
        {
          name: "Kettle",
          description: "",
          price: 10,
          stock: 10,
          category: "kitchen",
          ...fields,
        },
        undefined,
      );
      return record;
    },
    stockOf: async ({ id }) => (await products.get(id))?.stock ?? Number.NaN,
    reserved: async () => {
      const { Items: items = [] } = await staff().client.send(new ScanCommand({ TableName: tables.orders }));
      return items.filter(({ pk }) => String(pk).startsWith("reserved")).length;
    },
  };
}
