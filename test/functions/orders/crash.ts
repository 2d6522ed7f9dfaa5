import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { Reservations } from "../../../lib/repositories/orders/reservations.ts";
import type { Crash } from "../../support/database/crash.ts";

/** Its id is above the counter, so that nothing else sees it. */
const product = { ...recordKey(501), name: "n", description: "d", price: 5, stock: 7, category: "c" };

/** Leaves a reservation without an order. */
export const crash: Crash = async (client, tableOf, at) => {
  const tables = { orders: tableOf("orders"), products: tableOf("products") };
  await client.send(new PutCommand({ TableName: tables.products, Item: product }));
  const deduction = { product_id: 501, quantity: 2, product: { price: 5, epoch: 0 } };
  await new Reservations(client, tables, () => at).reserve([deduction]);
};
