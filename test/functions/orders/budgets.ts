import { OrdersRepository } from "../../../lib/repositories/orders/orders.ts";
import type { ReadBudgets } from "../../support/database/read-budgets.ts";

export const budgets: ReadBudgets = {
  dependencies: (client) => ({ orders: new OrdersRepository(client, "orders", () => new Date()) }),
  advice: { "/orders?status=paid": "Request fewer" },
};
