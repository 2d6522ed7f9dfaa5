import { serve } from "../../lib/http/serve.ts";
import { documentClient } from "../../lib/repositories/client.ts";
import { OrdersRepository } from "../../lib/repositories/orders.ts";
import { setting } from "../../lib/settings.ts";
import { ordersRoutes } from "./routes.ts";

export const handler = serve(ordersRoutes, () => ({
  orders: new OrdersRepository(
    documentClient(),
    { orders: setting("ORDERS_TABLE"), products: setting("PRODUCTS_TABLE") },
    () => new Date(),
  ),
}));
