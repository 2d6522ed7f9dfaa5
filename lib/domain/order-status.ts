import type { OrderStatus } from "../validators/order.ts";
import { ApiError } from "./errors.ts";

/**
 * Checks a status change (specification, "States and transitions").
 *
 * @throws ApiError `InvalidArgument` for any change of a cancelled order, and for cancelling a delivered one
 */
export function checkStatusChange(from: OrderStatus, to: OrderStatus): void {
  if (from === "cancelled") throw orderIsCancelled();
  if (from === "delivered" && to === "cancelled")
    throw new ApiError("InvalidArgument", "A delivered order cannot be cancelled");
}

export function orderIsCancelled(): ApiError {
  return new ApiError("InvalidArgument", "A cancelled order cannot be updated");
}
