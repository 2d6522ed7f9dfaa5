import Big from "big.js";
import type { CartItem } from "../validators/order.ts";
import type { Product } from "../validators/product.ts";
import { ApiError, notFound, validationError } from "./errors.ts";

/** What an order takes of one product, and the price that it was offered for. */
export interface StockDeduction {
  readonly product_id: number;
  /** Of all lines together. */
  readonly quantity: number;
  readonly price: number;
}

/** A cart that can be had as far as the products that were read can tell. */
export interface Purchase {
  readonly total: number;
  /** One for each different product. */
  readonly deductions: readonly StockDeduction[];
}

/**
 * Checks every line of a cart in the order given and adds up what it costs (specification, "Orders": order
 * creation rules; docs/decisions.md). Lines of the same product count together. The total is computed in
 * decimal and only then becomes a number.
 *
 * @param lines what is ordered
 * @param products those of its products that exist, by id
 * @throws ApiError of the first line that fails: `NotFound` when there is no such product, `InvalidArgument`
 *   naming the product when its stock is lower than the quantity
 * @throws ApiError `ValidationError` when the total is more than a JSON number holds exactly
 */
export function checkCart(lines: readonly CartItem[], products: ReadonlyMap<number, Product>): Purchase {
  const takings = new Map<number, StockDeduction>();
  let total = new Big(0);
  for (const { product_id, quantity } of lines) {
    const product = products.get(product_id);
    if (product === undefined) throw notFound("Product", product_id);
    const { price, stock } = product;
    const wanted = (takings.get(product_id)?.quantity ?? 0) + quantity;
    if (wanted > stock) throw insufficientStock(product, wanted);
    takings.set(product_id, { product_id, quantity: wanted, price });
    total = total.plus(new Big(price).times(quantity));
  }
  if (total.gt(Number.MAX_SAFE_INTEGER)) {
    const message = `The total is more than ${Number.MAX_SAFE_INTEGER}`;
    throw validationError([{ field: "body", message, type: "too_big" }]);
  }
  return { total: total.toNumber(), deductions: [...takings.values()] };
}

/**
 * The failure of a cart that wants more of a product than there is.
 *
 * @param product as it was read
 * @param wanted how much the lines so far want of it
 */
export function insufficientStock(
  { id, name, stock }: Pick<Product, "id" | "name" | "stock">,
  wanted: number,
): ApiError {
  const message = `Insufficient stock of ${name} (product ${id}): ${stock} left, ${wanted} ordered`;
  return new ApiError("InvalidArgument", message);
}
