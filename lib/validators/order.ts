import * as z from "zod/mini";
import { ListQuery } from "./cursor.ts";
import { integer } from "./integer.ts";
import { named, namedObject } from "./metadata.ts";
import { integerParameter, textParameter } from "./parameter.ts";

/**
 * One DynamoDB transaction has 100 items: one is for the pending order, one for the idempotency key, and one is spare.
 */
export const MAX_PRODUCTS = 97;
/** Two for each product. An order then has less than 12 KB, which its indexes copy. */
export const MAX_LINES = 200;

export const CartItem = namedObject("CartItem", { product_id: z.int(), quantity: integer({ min: 1 }) });
export type CartItem = z.output<typeof CartItem>;

export const OrderStatus = named(
  "OrderStatus",
  z.enum(["pending", "paid", "shipped", "delivered", "cancelled"]),
);
export type OrderStatus = z.output<typeof OrderStatus>;

/** Order (specification, "Resources and their fields"). `items` are the cart lines as sent. */
export const Order = namedObject("Order", {
  id: integer({ min: 1 }),
  user_id: z.int(),
  items: z.array(CartItem),
  total: z.number(),
  status: OrderStatus,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Order = z.output<typeof Order>;

export const Cart = named(
  "Cart",
  z.array(CartItem).check(
    z.minLength(1),
    z.maxLength(MAX_LINES),
    z.refine((lines) => new Set(lines.map(({ product_id }) => product_id)).size <= MAX_PRODUCTS, {
      error: `Must have at most ${MAX_PRODUCTS} different products`,
      params: { type: "too_big" },
    }),
  ),
);

export const OrderQuery = z.object({
  ...ListQuery.shape,
  user_id: integerParameter(z.optional(z.int()), "Only orders of this user"),
  status: textParameter(z.optional(OrderStatus), "Only orders with this status"),
});
