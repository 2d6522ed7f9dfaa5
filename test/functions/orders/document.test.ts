import { expect, it } from "vitest";
import { parameter, ref, response } from "../../support/infra/openapi.ts";

it("documents the statuses of an order, and when to repeat one that met others", () => {
  expect(parameter("PATCH /orders/{order_id}/status", "status")).toMatchObject({
    required: true,
    schema: ref("OrderStatus"),
  });
  expect(response("POST /orders", 409).headers).toHaveProperty("retry-after");
});
