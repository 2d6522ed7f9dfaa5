import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import { OrderPlacement } from "../../lib/repositories/orders/placement.ts";
import { setting } from "../../lib/settings.ts";
import { ordersRoutes } from "./routes.ts";

export const handler = createHandler(ordersRoutes, () => {
  const client = documentClient();
  const tables = { orders: setting("ORDERS_TABLE"), products: setting("PRODUCTS_TABLE") };
  const now = () => new Date();
  return {
    orders: new OrdersRepository(client, tables.orders, now),
    placement: new OrderPlacement(client, tables, now),
  };
});
