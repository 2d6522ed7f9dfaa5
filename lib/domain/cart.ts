import Big from "big.js";
import type { CartItem } from "../validators/order.ts";
import type { Product } from "../validators/product.ts";
import { orNotFound, validationError } from "./errors.ts";
import { insufficientStock } from "./orders.ts";

/** The stock that an order takes of one product, and the price that its total was computed with. */
export interface StockDeduction {
  readonly product_id: number;
  readonly quantity: number;
  readonly price: number;
}

/**
 * Checks a cart and computes the exact total (specification, "Orders": order creation rules).
 * @throws ApiError of the first invalid line: `NotFound`, or `InvalidArgument` if the stock is insufficient;
 *   `ValidationError` for a total that is too large
 */
export function checkCart(lines: readonly CartItem[], products: ReadonlyMap<number, Product>) {
  const deductions = new Map<number, StockDeduction>();
  let total = new Big(0);
  for (const { product_id, quantity } of lines) {
    const product = orNotFound(products.get(product_id), "Product", product_id);
    const { price, stock } = product;
    const ordered = (deductions.get(product_id)?.quantity ?? 0) + quantity;
    if (ordered > stock) throw insufficientStock(product, ordered);
    deductions.set(product_id, { product_id, quantity: ordered, price });
    total = total.plus(new Big(price).times(quantity));
  }
  if (total.gt(Number.MAX_SAFE_INTEGER)) {
    const message = `The total must be at most ${Number.MAX_SAFE_INTEGER}`;
    throw validationError([{ field: "body", message, type: "too_big" }]);
  }
  return { total: total.toNumber(), deductions: [...deductions.values()] };
}
