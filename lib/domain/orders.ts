import type { OrderStatus } from "../validators/order.ts";
import type { Product } from "../validators/product.ts";
import { ApiError } from "./errors.ts";

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
