import { expect } from "vitest";
import { OrderStatus } from "../../../lib/validators/order.ts";
import { requestsOf } from "../../../local/demo/load-demo.ts";
import { type DemoExpectation, demoRequests, numbered } from "../../support/demo.ts";

export const demo: DemoExpectation = async (api) => {
  const { data = [] } = await api.GET("/orders");
  const orders = demoRequests("orders", /^POST \/orders\?user_id=(\d+)$/);
  const changes = new Map(
    requestsOf("orders").map(([request]) => {
      const [order = "", status] = request.split("/status?status=");
      return [order, status] as const;
    }),
  );

  expect(data).toMatchObject(
    numbered(
      orders.map(({ groups: [user_id], body: items }, i) => {
        return { user_id, items, status: changes.get(`PATCH /orders/${i + 1}`) ?? "pending" };
      }),
    ),
  );
  expect(new Set(data.map(({ status }) => status))).toEqual(new Set(OrderStatus.options));
  return orders.length;
};
