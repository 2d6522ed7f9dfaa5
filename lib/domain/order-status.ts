import type { OrderStatus } from "../validators/order.ts";
import { ApiError } from "./errors.ts";

/**
 * Says whether an order may change its status (specification, "States and transitions").
 *
 * @param from the status that would be replaced
 * @param to the status that is asked for
 * @throws ApiError `InvalidArgument` when a cancelled order would change or a delivered one be cancelled
 */
export function checkStatusChange(from: OrderStatus, to: OrderStatus): void {
  if (from === "cancelled") throw orderIsCancelled();
  if (from === "delivered" && to === "cancelled")
    throw new ApiError("InvalidArgument", "A delivered order cannot be cancelled");
}

/** The failure of any change of a cancelled order. */
export function orderIsCancelled(): ApiError {
  return new ApiError("InvalidArgument", "A cancelled order cannot be updated");
}
