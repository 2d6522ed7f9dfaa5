import { describe, expect, it } from "vitest";
import { PARTITIONS } from "../../../../lib/repositories/orders/placement.ts";
import { type CartItem, MAX_LINES, MAX_PRODUCTS } from "../../../../lib/validators/order.ts";
import { openShop } from "../../../functions/orders/shop.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { engines, testClient } from "../../../support/database/database.ts";
import { putSizes } from "../../../support/database/item-size.ts";

describe.each(engines)("the largest order on $name", ({ endpoint }) => {
  it("fits, and is in the indexes as well", async () => {
    const shop = await openShop(endpoint);
    const cart: CartItem[] = [];
    for (let i = 0; i < MAX_PRODUCTS; i += 1) {
      const { id } = await shop.offer({ stock: 1_000_000_000_000 });
      cart.push({ product_id: id, quantity: 9_999_999_999 });
    }
    const lines = Array.from({ length: MAX_LINES }, (_, i) => cart[i % cart.length] ?? expect.unreachable());
    const client = testClient(endpoint);
    const sizes = putSizes(client);
    const { record } = await shop
      .placementWith(client)
      .place(Number.MIN_SAFE_INTEGER, lines, idempotencyContext("k"));

    const all = [...sizes].filter(([pk]) => pk === "0" || PARTITIONS.includes(pk));
    expect(all).toHaveLength(2);
    for (const [, size] of all) expect(size).toBeLessThan(12 * 1_024);
    expect(await shop.orders.get(1)).toEqual(record);
    const paid = await shop.orders.changeStatus(1, "paid");
    for (const filters of [{ user_id: Number.MIN_SAFE_INTEGER }, { status: "paid" as const }, {}])
      expect((await shop.orders.list(filters)).records).toEqual([paid]);
  });
});
