import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { type CartItem, MAX_LINES, MAX_PRODUCTS } from "../../../../lib/validators/order.ts";
import { openShop } from "../../../functions/orders/shop.ts";
import { crashBefore } from "../../../functions/orders/steps.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { engines, testClient } from "../../../support/database/database.ts";
import { itemSize, putSizes } from "../../../support/database/item-size.ts";

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

    expect(sizes.get("0")).toBeLessThan(12 * 1_024);
    const dying = shop.newProcess(crashBefore("deduct"));
    await expect(dying.placement.place(1, lines, idempotencyContext("l"))).rejects.toThrow();
    const { Items: items = [] } = await client.send(new ScanCommand({ TableName: shop.tables.orders }));
    const reserved = items.filter(({ pk }) => pk.startsWith("reserved-"));
    expect(reserved).toHaveLength(1);
    for (const item of reserved) expect(itemSize(item)).toBeLessThan(5 * 1_024);
    expect(await shop.orders.get(1)).toEqual(record);
    const paid = await shop.orders.changeStatus(1, "paid");
    for (const filters of [{ user_id: Number.MIN_SAFE_INTEGER }, { status: "paid" as const }, {}])
      expect((await shop.orders.list(filters)).records).toEqual([paid]);
  });
});
