import { statusByCode } from "../../lib/http/errors.ts";
import { PARTITIONS } from "../../lib/repositories/orders/placement.ts";
import { defaultSize, defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const line = { product_id: 1, quantity: 2 };
const time = "2026-05-04T09:30:00.000Z";

export const area = defineArea(routes, {
  position: 3,
  tags: { orders: "Orders deduct stock; their status can change until they are cancelled" },
  firstSteps: [
    "**Order** with `POST /orders` and a list of products and quantities. It takes stock for all of them or for none.",
    "**Follow the order** with `GET /orders/{order_id}`, and change its status with `PATCH /orders/{order_id}/status`.",
  ],
  accessNote:
    "An order is for the `user_id` in its query, 1 by default, and not for the account that is signed in.",
  tables: {
    orders: {
      hasIds: true,
      pendingPartitions: PARTITIONS,
      indexes: {
        "by-status": { partitionKey: ["status", "S"] },
        "by-user": { partitionKey: ["user_id", "N"] },
      },
      personal: { kept: "with products, totals and the `user_id` that the client chose" },
    },
  },
  uses: {
    orders: recordActions,
    "orders/index/by-status": ["dynamodb:Query"],
    "orders/index/by-user": ["dynamodb:Query"],
    products: ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:UpdateItem"],
  },
  repairUses: { orders: recordActions },
  limits: {
    "GET /orders": list,
    // With five products, and half as much again, since orders of the same products wait (docs/adr/0028).
    "POST /orders": { write: 15 },
    // With a hundred lines.
    "PATCH /orders/{order_id}/status": { writeOfKey: 10 },
  },
  // Orders of a popular product wait for each other, and leave concurrency to the other functions.
  size: { ...defaultSize, concurrencyShare: 0.1 },
  counted: {
    // Insufficient stock is the only 400 of this route (specification, "Orders").
    OrdersOutOfStock: {
      title: "Orders refused, insufficient stock",
      routes: ["POST /orders"],
      statuses: [statusByCode.InvalidArgument],
    },
  },
  fields: {
    product_id: "The product's id",
    quantity: "The number of pieces",
    user_id: "The id of the user who ordered",
    "Order.items": "The lines of the cart, as sent",
    "Order.total":
      "The sum of price times quantity, computed exactly at the prices when the order was placed",
    "Order.status":
      "Initially pending. A cancelled order stays cancelled, and a delivered one cannot be cancelled",
  },
  examples: {
    Cart: [line],
    CartItem: line,
    Order: {
      id: 1,
      user_id: 1,
      items: [line],
      total: 69,
      status: "pending",
      created_at: time,
      updated_at: time,
    },
  },
  requests: {
    "POST /orders": ({ id }) => ({
      query: { user_id: 1 },
      body: [{ product_id: id("POST /products"), quantity: 2 }],
    }),
    "GET /orders": { query: { status: "pending", limit: 10 } },
    "PATCH /orders/{order_id}/status": { query: { status: "paid" } },
  },
  trial: { end: { route: "PATCH /orders/{order_id}/status", query: { status: "cancelled" } } },
});
