import type { MeasuredHandlers } from "../../support/measured-handlers.ts";

const cart = Array.from({ length: 20 }, (_, i) => ({ product_id: i + 1, quantity: 1 }));
const time = "2026-01-01T00:00:00.000Z";
const order = {
  id: 1,
  user_id: 1,
  items: cart,
  total: 1,
  status: "pending",
  created_at: time,
  updated_at: time,
};

export const bench: MeasuredHandlers = {
  dependencies: { placement: { place: async () => ({ record: order, replayed: false }) } },
  requests: [{ name: "POST /orders, 20 lines", request: "POST /orders", body: cart, status: 201 }],
};
