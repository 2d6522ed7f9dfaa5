import type { ApiClient } from "../../client/index.js";
import { succeed } from "./succeed.ts";

type OrderStatus = "pending" | "paid" | "shipped" | "delivered" | "cancelled";

/** User, status, and the cart: quantities by product. */
export const orders: readonly (readonly [number, OrderStatus, Readonly<Record<number, number>>])[] = [
  [1, "delivered", { 1: 1, 14: 1 }],
  [2, "delivered", { 8: 1, 10: 1, 21: 1 }],
  [3, "delivered", { 33: 2 }],
  [4, "cancelled", { 11: 1 }],
  [5, "delivered", { 38: 1, 39: 2, 40: 1 }],
  [1, "delivered", { 5: 3, 20: 1 }],
  [6, "shipped", { 25: 1, 26: 1, 13: 2 }],
  [7, "delivered", { 28: 2 }],
  [8, "cancelled", { 27: 1, 12: 1 }],
  [9, "shipped", { 35: 1, 36: 1, 37: 2 }],
  [2, "shipped", { 22: 1 }],
  [10, "paid", { 7: 2, 18: 1 }],
  [11, "paid", { 29: 1, 31: 1 }],
  [4, "pending", { 24: 2 }],
  [8, "pending", { 34: 1 }],
  [10, "pending", { 9: 1 }],
];

export async function placeOrders(api: ApiClient, products: Promise<unknown>): Promise<void> {
  await products;
  for (const [user, status, cart] of orders) {
    const body = Object.entries(cart).map(([id, quantity]) => ({ product_id: Number(id), quantity }));
    const order = await succeed(api.idempotent("/orders", { params: { query: { user_id: user } }, body }));
    if (status === "pending") continue;
    const params = { path: { order_id: order.id }, query: { status } };
    await succeed(api.PATCH("/orders/{order_id}/status", { params }));
  }
}
