import { currentTime } from "../../lib/repositories/dynamodb/clock.ts";
import { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import type { AreaPerson } from "../define-area.ts";

export const person: AreaPerson = {
  open(client, table) {
    const orders = new OrdersRepository(client, table, currentTime);
    return { get: (id) => orders.get(id) };
  },
  left: "with products, totals and the `user_id` that the client chose",
};
