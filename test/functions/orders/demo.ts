import { expect } from "vitest";
import { OrderStatus } from "../../../lib/validators/order.ts";
import { orders } from "../../../local/demo/orders.ts";
import { type DemoExpectation, numbered } from "../../support/demo.ts";

export const demo: DemoExpectation = async (api) => {
  const { data = [] } = await api.GET("/orders");

  expect(data).toMatchObject(
    numbered(
      orders.map(([user_id, status, cart]) => ({
        user_id,
        status,
        items: Object.entries(cart).map(([id, quantity]) => ({ product_id: Number(id), quantity })),
      })),
    ),
  );
  expect(new Set(data.map(({ status }) => status))).toEqual(new Set(OrderStatus.options));
  return orders.length;
};
