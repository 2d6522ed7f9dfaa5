import { OrdersRepository } from "../../../lib/repositories/orders/orders.ts";
import { type FaultArea, now } from "../../support/database/fault-area.ts";
import { openShop, type Shop } from "./shop.ts";

const line = { product_id: 1, quantity: 3 };

export const faults: FaultArea<Pick<Shop, "placement" | "orders"> & { readonly shop: Shop }> = {
  async open(endpoint) {
    const shop = await openShop(endpoint);
    for (let i = 0; i < 2; i += 1) await shop.offer();
    await shop.placement.place(1, [line], undefined);
    return (client) => ({
      shop,
      placement: shop.placementWith(client),
      orders: new OrdersRepository(client, shop.tables.orders, now),
    });
  },
  writes: {
    "place two of one product": async ({ placement }) => [
      await placement.place(1, [line], undefined),
      await placement.place(1, [line], undefined),
    ],
    "place one of two products": ({ placement }) =>
      placement.place(1, [line, { product_id: 2, quantity: 1 }], undefined),
    "change a status": ({ orders: store }) => store.changeStatus(1, "cancelled"),
  },
  reads: { list: ({ orders: store }) => store.list({ user_id: 1 }) },
  state: async ({ shop, orders: store }) => [
    await store.list({}),
    await shop.products.list(),
    await shop.reserved(),
  ],
};
