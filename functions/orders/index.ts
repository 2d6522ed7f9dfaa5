import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import { OrderPlacement } from "../../lib/repositories/orders/placement.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const tables = { orders: tableName("orders"), products: tableName("products") };
  const now = () => new Date();
  const placement = new OrderPlacement(client, tables, now);
  return (ownerOf) => {
    const owner = ownerOf("orders");
    return { orders: new OrdersRepository(client, tables.orders, now, owner), placement, owner };
  };
});

await warmUp(handler, `/orders/${UNUSED_ID}`);
