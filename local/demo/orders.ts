import type { ApiClient } from "../../client/index.js";
import { succeed } from "./succeed.ts";

type OrderStatus = "pending" | "paid" | "shipped" | "delivered" | "cancelled";

/** User, status, and the cart: quantities by product. */
export const orders: readonly (readonly [number, OrderStatus, Readonly<Record<number, number>>])[] = [
  [1, "delivered", { 1: 1, 14: 1 }],
  [2, "delivered", { 8: 1, 10: 1, 23: 1 }],
  [3, "delivered", { 42: 2 }],
  [4, "cancelled", { 11: 1 }],
  [5, "delivered", { 54: 1, 55: 2, 56: 1 }],
  [1, "delivered", { 5: 3, 20: 1 }],
  [6, "shipped", { 28: 1, 29: 1, 13: 2 }],
  [7, "delivered", { 33: 2, 36: 4 }],
  [8, "cancelled", { 30: 1, 12: 1 }],
  [9, "shipped", { 47: 1, 48: 1, 49: 2, 51: 1 }],
  [2, "shipped", { 24: 1 }],
  [10, "paid", { 7: 2, 18: 1, 21: 3 }],
  [3, "shipped", { 41: 1, 15: 1 }],
  [11, "paid", { 34: 1, 40: 1, 44: 1 }],
  [12, "shipped", { 2: 1, 3: 1, 4: 6 }],
  [1, "paid", { 46: 1, 53: 1 }],
  [5, "paid", { 27: 1 }],
  [4, "pending", { 22: 1, 26: 2 }],
  [7, "cancelled", { 57: 3 }],
  [8, "pending", { 43: 1, 45: 1 }],
  [9, "paid", { 52: 2, 50: 1 }],
  [10, "pending", { 9: 1 }],
  [6, "pending", { 58: 1, 59: 1 }],
  [12, "pending", { 16: 2, 35: 1 }],
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
