import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { UNKNOWN_ID } from "../../support/data/values.ts";
import { withProduct } from "../products/data.ts";

async function place(fields: Parameters<typeof withProduct>[0] = {}, quantity = 1) {
  const { id } = await withProduct(fields);
  return await api.post("/orders", [{ product_id: id, quantity }]);
}

async function payCancelled() {
  const { id } = (await place()).body;
  await api.patch(`/orders/${id}/status?status=cancelled`);
  return await api.patch(`/orders/${id}/status?status=paid`);
}

/** Lists the orders that a query selects, and places some. */
async function listOf(query: string) {
  const { id } = await withProduct({ stock: 100 });
  const create = async () => (await api.post(`/orders${query}`, [{ product_id: id, quantity: 1 }])).body;
  return { target: `/orders${query}`, create };
}

export const protocol: AreaProtocol = {
  lists: {
    orders: () => listOf(""),
    "orders of a user": () => listOf(`?user_id=${1 + Math.floor(Math.random() * 1e12)}`),
  },
  resumable: ["", "user_id=1&", "status=pending&", "user_id=1&status=pending&"].map(
    (query) => `/orders?${query}`,
  ),
  errors: [
    ["POST /orders", 400, () => place({ name: "Desk lamp", stock: 12 }, 13)],
    ["POST /orders", 404, () => api.post("/orders", [{ product_id: UNKNOWN_ID, quantity: 1 }])],
    ["GET /orders/{order_id}", 404, () => api.get(`/orders/${UNKNOWN_ID}`)],
    ["PATCH /orders/{order_id}/status", 400, payCancelled],
    ["PATCH /orders/{order_id}/status", 422, () => api.patch(`/orders/${UNKNOWN_ID}/status`)],
  ],
};
