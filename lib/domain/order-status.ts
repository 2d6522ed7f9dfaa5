import type { OrderStatus } from "../validators/order.ts";
import { Failure } from "./errors.ts";

/**
 * Says whether an order may change its status (specification, "States and transitions").
 *
 * @param from the status that would be replaced
 * @param to the status that is asked for
 * @throws Failure `InvalidArgument` when a cancelled order would change or a delivered one be cancelled
 */
export function checkStatusChange(from: OrderStatus, to: OrderStatus): void {
  if (from === "cancelled") throw cancelledForGood();
  if (from === "delivered" && to === "cancelled")
    throw new Failure("InvalidArgument", "A delivered order cannot be cancelled");
}

/** The failure of any change of a cancelled order. */
export function cancelledForGood(): Failure {
  return new Failure("InvalidArgument", "A cancelled order cannot be updated");
}
