import { routes } from "../../../functions/orders/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { PARTITIONS } from "../../../lib/repositories/orders/placement.ts";
import { type CostLimit, measureArea } from "../../support/measure-area.ts";

const time = "2026-01-01T00:00:00.000Z";
const times = { created_at: time, updated_at: time };
const statuses = ["pending", "paid", "shipped", "delivered", "cancelled"];
/** The buyer of the ten newest orders. */
const SOMEBODY = 1_000;

const linesOf = (...ids: number[]) => ids.map((product_id) => ({ product_id, quantity: 1 }));
/** Each product is read, and written in a transaction (docs/writes.md). */
const limitOf = (products: number): CostLimit => [4, 4, 9 + 3 * products];

export const measurements = measureArea(routes, {
  records: {
    orders: (id, count) => [
      {
        ...recordKey(id),
        user_id: id > count - 10 ? SOMEBODY : id % 1_000,
        items: [{ product_id: 1, quantity: 2 }],
        total: 20,
        status: statuses[id % 5],
        ...times,
      },
    ],
  },
  requests: {
    "GET /orders, 10 of a user": { query: { user_id: SOMEBODY } },
    "POST /orders, 1 product": { body: linesOf(1) },
    "POST /orders, 5 products": { body: linesOf(1, 2, 3, 4, 5) },
    "POST /orders, unknown product": { body: linesOf(999_999_999) },
  },
  limits: {
    "GET /orders/{order_id}": [1, 1, 1],
    "POST /orders, 1 product": limitOf(1),
    "POST /orders, 5 products": limitOf(5),
    "POST /orders, unknown product": [1, 1, 1],
  },
  priced: { "POST /orders, 1 product": 0, "POST /orders, 5 products": 0 },
  keyGroups: { "pending#": PARTITIONS.length },
  growth: [
    "GET /orders",
    "GET /orders?limit=10",
    "GET /orders?status=pending&limit=10",
    "GET /orders?status=pending",
    "GET /orders?user_id=7&limit=10",
    "GET /orders?user_id=7",
    "GET /orders?user_id=7&status=shipped&limit=10",
  ],
});
