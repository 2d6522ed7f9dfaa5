import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { preconditionFailed } from "../../../../lib/domain/errors.ts";
import { updateOf } from "../../../../lib/repositories/dynamodb/expressions.ts";
import { OrdersRepository } from "../../../../lib/repositories/orders/orders.ts";
import { ProductsRepository } from "../../../../lib/repositories/products.ts";
import { recordKey } from "../../../../lib/repositories/records/id-blocks.ts";
import { ENTRY_PREFIX, newRevision } from "../../../../lib/repositories/records/revision.ts";
import { openShop } from "../../../functions/orders/shop.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { engines, testClient } from "../../../support/database/database.ts";
import { CANCELLED, CONDITION_FAILED, late, TOKEN_USED, unlucky } from "../../../support/database/late.ts";

const unavailable = { code: "ServiceUnavailable" };

/** What the product's deductions have left behind. */
async function entriesOf({ products }: Awaited<ReturnType<typeof openShop>>): Promise<string[]> {
  return Object.keys((await products.read(1)) ?? {}).filter((name) => name.startsWith(ENTRY_PREFIX));
}

describe.each(engines)("an attempt of a shop that arrives late on $name", ({ endpoint }) => {
  const cart = (quantity: number) => [{ product_id: 1, quantity }];

  it("brings no stock back that has been sold", async () => {
    const shop = await openShop(endpoint);
    const kettle = await shop.offer({ stock: 3 });
    const { client, arrive } = unlucky(endpoint, late("UpdateItem"));
    await new ProductsRepository(client, shop.tables.products).update(1, { stock: 10 });
    await shop.placement.place(1, cart(10), undefined);

    expect(await arrive()).toEqual([CONDITION_FAILED]);
    expect(await shop.stockOf(kettle)).toBe(0);
  });

  it("has no effect after the change was refused, even if the stock is as it was", async () => {
    const shop = await openShop(endpoint);
    await shop.offer({ stock: 3 });
    const sold = shop.newProcess((operation, attempt) =>
      operation === "UpdateItem" || (operation === "TransactWriteItems" && attempt === 2)
        ? "throttled"
        : undefined,
    );
    const { client, arrive } = unlucky(endpoint, async (operation, attempt) => {
      if (operation !== "TransactWriteItems" || attempt > 2) return undefined;
      // Reserves and releases: the id cannot be allocated.
      if (attempt === 2)
        await expect(sold.placement.place(1, cart(1), undefined)).rejects.toMatchObject(unavailable);
      return attempt === 1 ? "late" : undefined;
    });
    let checks = 0;
    const once = () => {
      checks += 1;
      if (checks > 1) throw preconditionFailed();
    };
    const products = new ProductsRepository(client, shop.tables.products);
    await expect(products.update(1, { price: 1 }, once)).rejects.toMatchObject({
      code: "PreconditionFailed",
    });

    expect(await arrive()).toEqual([CANCELLED]);
    expect(await products.get(1)).toMatchObject({ price: 10, stock: 3 });
  });

  it.each([
    ["reserves", "TransactWriteItems", 3, Array(3).fill(TOKEN_USED)],
    // DynamoDB remembers the second attempt, and answers the first one as that.
    ["reserves", "TransactWriteItems", 1, ["done"]],
    ["deducts", "UpdateItem", 3, Array(3).fill(CONDITION_FAILED)],
    ["deducts", "UpdateItem", 1, [CONDITION_FAILED]],
  ] as const)("%s no stock by a %s, of which %i attempts were given up", async (_, write, attempts, ends) => {
    const shop = await openShop(endpoint);
    const kettle = await shop.offer({ stock: 3 });
    const { client, arrive } = unlucky(endpoint, async (operation, attempt) => {
      if (operation !== write) return undefined;
      // The price changes before the second attempt.
      if (attempts === 1 && attempt === 2) await shop.products.update(1, { price: 11 });
      return attempt <= attempts ? "late" : undefined;
    });
    const placed = shop.placementWith(client).place(1, cart(1), idempotencyContext("key"));
    if (attempts === 3) await expect(placed).rejects.toMatchObject(unavailable);
    else expect((await placed).record.total).toBe(11);
    await shop.products.update(1, { price: 10 });

    expect(await arrive()).toEqual(ends);
    expect(await shop.reserved()).toBe(0);
    expect(await shop.stockOf(kettle)).toBe(attempts === 3 ? 3 : 2);
  });

  it("deducts no stock again after the order was written", async () => {
    const shop = await openShop(endpoint);
    const kettle = await shop.offer({ stock: 3 });
    const { client, arrive } = unlucky(endpoint, late("UpdateItem"));
    await shop.placementWith(client).place(1, cart(1), undefined);
    await shop.placement.place(1, cart(1), undefined);

    expect(await arrive()).toEqual([CONDITION_FAILED]);
    expect(await shop.stockOf(kettle)).toBe(1);
  });

  it("keeps its entry for ten minutes", async () => {
    const shop = await openShop(endpoint);
    await shop.offer({ stock: 30 });
    const { client } = unlucky(endpoint, late("UpdateItem"));
    await shop.placement.place(1, cart(1), undefined);
    expect(await entriesOf(shop)).toHaveLength(0);
    await shop.placementWith(client).place(1, cart(1), undefined);
    for (const [minutes, left] of [
      [9, 1],
      [2, 0],
    ] as const) {
      shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000);
      await shop.placement.place(1, cart(1), undefined);
      expect(await entriesOf(shop)).toHaveLength(left);
    }
  });

  it("returns the stock of an abandoned order before its entry is removed", async () => {
    const shop = await openShop(endpoint);
    const kettle = await shop.offer({ stock: 3 });
    const { client } = unlucky(endpoint, (operation, attempt) => {
      const isAfterDeduction = attempt > 1;
      return isAfterDeduction && /UpdateItem|TransactWriteItems/.test(operation) ? "refused" : undefined;
    });
    await expect(shop.placementWith(client).place(1, cart(2), undefined)).rejects.toMatchObject(unavailable);
    expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([1, 1]);

    shop.clock.now = new Date(shop.clock.now.getTime() + 11 * 60_000);
    await shop.placement.place(1, cart(1), undefined);
    expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([2, 0]);
    await shop.placement.place(1, cart(1), undefined);
    expect(await entriesOf(shop)).toHaveLength(0);
  });

  it("removes as many entries as one expression can name", async () => {
    const shop = await openShop(endpoint);
    await shop.offer({ stock: 3 });
    const old = Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`${ENTRY_PREFIX}${newRevision(i)}`, 0]),
    );
    await testClient(endpoint).send(
      new UpdateCommand({ TableName: shop.tables.products, Key: recordKey(1), ...updateOf(old) }),
    );
    await shop.placement.place(1, cart(1), undefined);
    expect(await entriesOf(shop)).toHaveLength(51);
    await shop.placement.place(1, cart(1), undefined);
    expect(await entriesOf(shop)).toHaveLength(0);
  });

  it("changes no status after a later change", async () => {
    const shop = await openShop(endpoint);
    await shop.offer();
    await shop.placement.place(1, cart(1), undefined);
    const { client, arrive } = unlucky(endpoint, async (operation, attempt) => {
      if (operation !== "TransactWriteItems" || attempt > 2) return undefined;
      if (attempt === 2) await shop.orders.changeStatus(1, "paid");
      return attempt === 1 ? "late" : undefined;
    });
    await new OrdersRepository(client, shop.tables.orders, () => shop.clock.now).changeStatus(1, "shipped");
    await shop.orders.changeStatus(1, "pending");

    expect(await arrive()).toEqual([CANCELLED]);
    expect(await shop.orders.get(1)).toMatchObject({ status: "pending" });
  });
});
