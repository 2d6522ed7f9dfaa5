import { describe, expect, it } from "vitest";
import { OrdersRepository } from "../../../../lib/repositories/orders/orders.ts";
import { PARTITIONS } from "../../../../lib/repositories/orders/placement.ts";
import { MAX_LINES, MAX_PRODUCTS } from "../../../../lib/validators/order.ts";
import { openShop, withKettle } from "../../../functions/orders/shop.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { engines, testClient } from "../../../support/database/database.ts";
import { putSizes } from "../../../support/database/item-size.ts";
import { interruptedClient } from "../../interrupted.ts";

const noon = "2026-03-01T12:00:00.000Z";

describe.each(engines)("orders on $name", ({ endpoint }) => {
  async function withOrder() {
    const { shop } = await withKettle(endpoint);
    await shop.placement.place(1, [{ product_id: 1, quantity: 1 }], undefined);
    return shop;
  }

  it("never have an earlier time of a change when the clock is behind", async () => {
    const shop = await withOrder();
    shop.clock.now = new Date("2026-03-01T11:55:00.000Z");
    expect(await shop.orders.changeStatus(1, "paid")).toMatchObject({ updated_at: noon });
  });

  it.each(["cancelled", "delivered"] as const)("are not cancelled if %s meanwhile", async (winner) => {
    const shop = await withOrder();
    const change = () => shop.orders.changeStatus(1, winner);
    const client = interruptedClient(endpoint, "TransactWriteItems", change);
    const orders = new OrdersRepository(client, shop.tables.orders, () => shop.clock.now);
    await expect(orders.changeStatus(1, "cancelled")).rejects.toMatchObject({ code: "InvalidArgument" });
    expect(await shop.orders.get(1)).toMatchObject({ status: winner });
  });

  it("fit at their largest, and are in the indexes as well", async () => {
    const shop = await openShop(endpoint);
    for (let i = 0; i < MAX_PRODUCTS; i += 1) await shop.offer({ stock: 1_000_000_000_000 });
    const line = (i: number) => ({ product_id: 1 + (i % MAX_PRODUCTS), quantity: 9_999_999_999 });
    const lines = Array.from({ length: MAX_LINES }, (_, i) => line(i));
    const client = testClient(endpoint);
    const sizes = putSizes(client);
    const user_id = Number.MIN_SAFE_INTEGER;
    const { record } = await shop.placementWith(client).place(user_id, lines, idempotencyContext("k"));

    const all = [...sizes].filter(([pk]) => pk === "0" || PARTITIONS.includes(pk));
    expect(all).toHaveLength(2);
    for (const [, size] of all) expect(size).toBeLessThan(12 * 1_024);
    expect(await shop.orders.get(1)).toEqual(record);
    const paid = await shop.orders.changeStatus(1, "paid");
    for (const filters of [{ user_id }, { status: "paid" as const }, {}])
      expect((await shop.orders.list(filters)).records).toEqual([paid]);
  });
});
