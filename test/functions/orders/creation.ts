import type { CreationScenario } from "../../support/database/creation-scenario.ts";
import { openShop } from "./shop.ts";

export async function creation(endpoint: string): Promise<CreationScenario> {
  const shop = await openShop(endpoint);
  const { id } = await shop.offer({ stock: 1 });
  const cart = [{ product_id: id, quantity: 1 }];
  return {
    table: shop.tables.orders,
    calls: [4, 5],
    create: (client, idempotency) => shop.placementWith(client).place(1, cart, idempotency),
  };
}
