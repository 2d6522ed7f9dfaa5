import * as z from "zod";
import { ListQuery } from "./cursor.ts";
import { integerParameter, textParameter } from "./parameter.ts";

/**
 * The number of different products in an order. Their stock is deducted in one DynamoDB transaction of at most 100
 * items: one is for the reservation, one for the idempotency key, and one is spare.
 */
export const MAX_PRODUCTS = 97;
/** This many lines fit well into a record of 400 KB. */
const MAX_LINES = 5_000;

/** CartItem (specification, "Resources and their fields"). */
export const CartItem = z.object({ product_id: z.int(), quantity: z.int().min(1) }).meta({ id: "CartItem" });
export type CartItem = z.output<typeof CartItem>;

export const OrderStatus = z
  .enum(["pending", "paid", "shipped", "delivered", "cancelled"])
  .meta({ id: "OrderStatus" });
export type OrderStatus = z.output<typeof OrderStatus>;

/** Order (specification, "Resources and their fields"). `items` are the cart lines as sent. */
export const Order = z
  .object({
    id: z.int().min(1),
    user_id: z.int(),
    items: z.array(CartItem),
    total: z.number(),
    status: OrderStatus,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Order" });
export type Order = z.output<typeof Order>;

/** The lines of an order. A product may occur in several. */
export const Cart = z
  .array(CartItem)
  .min(1)
  .max(MAX_LINES)
  .refine((lines) => new Set(lines.map(({ product_id }) => product_id)).size <= MAX_PRODUCTS, {
    message: `Must have at most ${MAX_PRODUCTS} different products`,
    params: { type: "too_big" },
  })
  .meta({ id: "Cart" });

export const OrderQuery = z.object({
  ...ListQuery.shape,
  user_id: integerParameter(z.int().optional()).describe("Only orders of this user"),
  status: textParameter(OrderStatus.optional()).describe("Only orders with this status"),
});
