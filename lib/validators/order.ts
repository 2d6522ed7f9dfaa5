import * as z from "zod";
import { ListQuery } from "./cursor.ts";
import { integerParameter, textParameter } from "./parameter.ts";

/**
 * How many different products one order can hold. Their stock is taken in one DynamoDB transaction, which has
 * 100 places: one is the reservation's, one an idempotency key's, and one is kept free.
 */
export const MAX_PRODUCTS = 97;
/** As many lines as fit into the 400 KB of one record, with room to spare. */
const MAX_LINES = 5_000;

/** CartItem (specification, "Resources and their fields"). */
export const CartItem = z.object({ product_id: z.int(), quantity: z.int().min(1) }).meta({ id: "CartItem" });
export type CartItem = z.output<typeof CartItem>;

export const OrderStatus = z
  .enum(["pending", "paid", "shipped", "delivered", "cancelled"])
  .meta({ id: "OrderStatus" });
export type OrderStatus = z.output<typeof OrderStatus>;

/** Order (specification, "Resources and their fields"). Its items are the lines of the cart as given. */
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

/** What is ordered: at least one line, the same product in as many of them as one likes. */
export const Cart = z
  .array(CartItem)
  .min(1)
  .max(MAX_LINES)
  .refine((lines) => new Set(lines.map(({ product_id }) => product_id)).size <= MAX_PRODUCTS, {
    message: `An order holds at most ${MAX_PRODUCTS} different products`,
    params: { type: "too_big" },
  })
  .meta({ id: "Cart" });

export const OrderQuery = z.object({
  ...ListQuery.shape,
  user_id: integerParameter(z.int().optional()).describe("Keeps the orders of this user"),
  status: textParameter(OrderStatus.optional()).describe("Keeps the orders that have it now"),
});
