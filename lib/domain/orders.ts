import Big from "big.js";
import type { CartItem, OrderStatus } from "../validators/order.ts";
import type { Product } from "../validators/product.ts";
import { ApiError, notFound, validationError } from "./errors.ts";

/** The stock that an order takes of one product, as it was read: its total has that price. */
interface StockDeduction<P extends Product = Product> {
  readonly product_id: number;
  readonly quantity: number;
  readonly product: P;
}

/**
 * Checks a cart and computes the exact total (specification, "Orders": order creation rules).
 * @throws ApiError of the first invalid line, or `ValidationError` for a total that is too large
 */
export function checkCart<P extends Product>(lines: readonly CartItem[], products: readonly P[]) {
  const deductions = new Map<number, StockDeduction<P>>();
  let total = new Big(0);
  for (const { product_id, quantity } of lines) {
    const product = products.find(({ id }) => id === product_id);
    if (product === undefined) throw notFound("Product", product_id);
    const ordered = (deductions.get(product_id)?.quantity ?? 0) + quantity;
    if (ordered > product.stock) throw insufficientStock(product, ordered);
    deductions.set(product_id, { product_id, quantity: ordered, product });
    total = total.plus(new Big(product.price).times(quantity));
  }
  if (total.gt(Number.MAX_SAFE_INTEGER)) {
    const message = `The total must be at most ${Number.MAX_SAFE_INTEGER}`;
    throw validationError([{ field: "body", message, type: "too_big" }]);
  }
  return { total: total.toNumber(), deductions: [...deductions.values()] };
}

/** @throws ApiError `InvalidArgument` for a forbidden change (specification, "States and transitions") */
export function checkStatusChange(from: OrderStatus, to: OrderStatus): void {
  if (from === "cancelled") throw orderIsCancelled();
  if (from === "delivered" && to === "cancelled")
    throw new ApiError("InvalidArgument", "A delivered order cannot be cancelled");
}

export function orderIsCancelled(): ApiError {
  return new ApiError("InvalidArgument", "A cancelled order cannot be updated");
}

export function insufficientStock(
  { id, name, stock }: Pick<Product, "id" | "name" | "stock">,
  ordered: number,
): ApiError {
  const message = `Insufficient stock of ${name} (product ${id}): ${stock} left, ${ordered} ordered`;
  return new ApiError("InvalidArgument", message);
}
