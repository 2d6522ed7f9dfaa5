import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { PARTITIONS } from "../../../lib/repositories/orders/placement.ts";
import type { Crash } from "../../support/database/crash.ts";

/** Leaves an order whose stock was deducted, and which has no id. */
export const crash: Crash = async (client, tableOf, at) => {
  const time = at.toISOString();
  const items = [{ product_id: 501, quantity: 2 }];
  const order = { user_id: 1, items, total: 10, status: "pending", created_at: time, updated_at: time };
  await client.send(
    new PutCommand({ TableName: tableOf("orders"), Item: { pk: PARTITIONS[0], sk: 1, order } }),
  );
};
