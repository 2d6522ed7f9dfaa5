import { describe, expect, it } from "vitest";
import { checkStatusChange } from "../../../lib/domain/orders.ts";
import { OrderStatus } from "../../../lib/validators/order.ts";

const changes = OrderStatus.options.flatMap((from) => OrderStatus.options.map((to) => [from, to] as const));

describe("a status change", () => {
  it.each(changes)("from %s to %s", (from, to) => {
    const check = () => checkStatusChange(from, to);

    if (from === "cancelled") expect(check).toThrow("A cancelled order cannot be updated");
    else if (from === "delivered" && to === "cancelled")
      expect(check).toThrow("A delivered order cannot be cancelled");
    else expect(check).not.toThrow();
  });
});
