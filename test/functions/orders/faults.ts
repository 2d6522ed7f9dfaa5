import { repair } from "../../../functions/orders/routes.ts";
import type { ApiError } from "../../../lib/domain/errors.ts";
import { OrdersRepository } from "../../../lib/repositories/orders/orders.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { type FaultArea, now } from "../../support/database/fault-area.ts";
import { openShop, type Shop } from "./shop.ts";

const line = { product_id: 1, quantity: 3 };
const dryRun = { isDryRun: true, abandonedAfterMs: Number.NEGATIVE_INFINITY };
const key = idempotencyContext("key");

interface OrdersArea extends Pick<Shop, "placement" | "orders" | "products"> {
  /** How many orders are pending. */
  pending(): Promise<number>;
}

export const faults: FaultArea<OrdersArea> = {
  async open(endpoint) {
    const shop = await openShop(endpoint);
    for (let i = 0; i < 2; i += 1) await shop.offer();
    await shop.placement.place(1, [line], undefined);
    return {
      tables: shop.tables,
      with: (client) => ({
        placement: shop.placementWith(client),
        orders: new OrdersRepository(client, shop.tables.orders, now),
        products: new ProductsRepository(client, shop.tables.products),
        pending: () => repair(client, (name) => ({ ...shop.tables })[name as "orders"], dryRun),
      }),
    };
  },
  writes: {
    place: ({ placement }) => placement.place(1, [line], undefined),
    "place with a key": ({ placement }) => placement.place(2, [line], key),
    "place one of two products": ({ placement }) =>
      placement.place(1, [line, { product_id: 2, quantity: 1 }], undefined),
    "change a status": ({ orders }) => orders.changeStatus(1, "cancelled"),
  },
  reads: { list: ({ orders }) => orders.list({ user_id: 1 }) },
  others: {
    "set a stock and order": [
      async ({ products, placement }) => {
        await products.update(1, { stock: 50 });
        await placement.place(2, [line], key);
      },
    ],
    "sell out, restock and pay": [
      ({ products }) => products.update(1, { stock: 1 }),
      async ({ products, orders }) => {
        await products.update(1, { stock: 50 });
        await orders.changeStatus(1, "paid").catch((error: ApiError) => {
          if (error.code !== "InvalidArgument") throw error;
        });
      },
    ],
    "withdraw a product": [({ products }) => products.remove(1)],
  },
  state: async ({ orders, products, pending }) => Promise.all([orders.list({}), products.list(), pending()]),
};
