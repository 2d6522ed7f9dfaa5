import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => ({
  orders: new OrdersRepository(
    documentClient(),
    { orders: tableName("orders"), products: tableName("products") },
    () => new Date(),
  ),
}));
