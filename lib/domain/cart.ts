import Big from "big.js";
import type { CartItem } from "../validators/order.ts";
import type { Product } from "../validators/product.ts";
import type { RejectedCart } from "./rejected-cart.ts";

/** The stock that an order takes of one product, and the price that its total was computed with. */
export interface StockDeduction {
  readonly product_id: number;
  /** Summed over all lines of the product. */
  readonly quantity: number;
  readonly price: number;
}

export interface AcceptedCart {
  readonly ok: true;
  readonly total: number;
  readonly deductions: readonly StockDeduction[];
}

/**
 * Checks the lines of a cart in order and computes the total (specification, "Orders": order creation rules).
 * Lines of the same product add up. The total is computed in decimal and converted to a number at the end.
 *
 * @param products the existing products of the cart, by id
 * @returns the total and the stock to deduct, or the reason why the first invalid line is rejected
 */
export function checkCart(
  lines: readonly CartItem[],
  products: ReadonlyMap<number, Product>,
): AcceptedCart | RejectedCart {
  const deductions = new Map<number, StockDeduction>();
  let total = new Big(0);
  for (const { product_id, quantity } of lines) {
    const product = products.get(product_id);
    if (product === undefined) return { ok: false, reason: "unknown-product", product_id };
    const { price, stock } = product;
    const ordered = (deductions.get(product_id)?.quantity ?? 0) + quantity;
    if (ordered > stock) return { ok: false, reason: "insufficient-stock", product, ordered };
    deductions.set(product_id, { product_id, quantity: ordered, price });
    total = total.plus(new Big(price).times(quantity));
  }
  if (total.gt(Number.MAX_SAFE_INTEGER)) return { ok: false, reason: "total-too-large" };
  return { ok: true, total: total.toNumber(), deductions: [...deductions.values()] };
}
