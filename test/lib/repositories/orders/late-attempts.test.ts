import { describe, expect, it } from "vitest";
import { preconditionFailed } from "../../../../lib/domain/errors.ts";
import { operationsOn } from "../../../../lib/records/exactly-once.ts";
import { OrdersRepository } from "../../../../lib/repositories/orders/orders.ts";
import { OrderPlacement } from "../../../../lib/repositories/orders/placement.ts";
import { ProductsRepository } from "../../../../lib/repositories/products.ts";
import { openShop, withKettle } from "../../../functions/orders/shop.ts";
import { crashBefore, failing } from "../../../functions/orders/steps.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { engines } from "../../../support/database/database.ts";
import { CANCELLED, CONDITION_FAILED, late, unlucky } from "../../../support/database/late.ts";

const unavailable = { code: "ServiceUnavailable" };

describe.each(engines)("an attempt of a shop that arrives late on $name", ({ endpoint }) => {
  const cart = (quantity: number) => [{ product_id: 1, quantity }];

  it("brings no stock back that has been sold", async () => {
    const { shop, kettle } = await withKettle(endpoint, { stock: 3 });
    const { client, arrive } = unlucky(endpoint, late("UpdateItem"));
    await new ProductsRepository(client, shop.tables.products).update(1, { stock: 10 });
    await shop.placement.place(1, cart(10), undefined);

    expect(await arrive()).toEqual([CONDITION_FAILED]);
    expect(await shop.stockOf(kettle)).toBe(0);
  });

  it("has no effect after the change was refused, even if the stock is as it was", async () => {
    const shop = await openShop(endpoint);
    await shop.offer({ stock: 3 });
    // Deducts and returns: the id cannot be allocated.
    const sold = shop.newProcess(failing("allocate", "throttled", 1, 3));
    const { client, arrive } = unlucky(endpoint, async (operation, attempt) => {
      if (operation !== "TransactWriteItems" || attempt > 2) return undefined;
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
    ["reserve", 3, 3],
    ["reserve", 1, 2],
    ["claim", 3, 3],
    ["claim", 1, 2],
    ["deduct", 3, 3],
    ["deduct", 1, 2],
    ["allocate", 3, 3],
    ["allocate", 1, 2],
    ["complete", 3, 3],
    ["complete", 1, 2],
  ] as const)(
    "changes no stock by a %s, of which %i attempts were given up",
    async (step, attempts, left) => {
      const { shop, kettle } = await withKettle(endpoint, { stock: 3 });
      const { client, arrive } = unlucky(endpoint, failing(step, "late", 1, attempts));
      const key = idempotencyContext("key");
      const placed = shop.placementWith(client).place(1, cart(1), key);
      if (attempts === 3) await expect(placed).rejects.toMatchObject(unavailable);
      else await placed;
      expect(await shop.stockOf(kettle)).toBe(left);
      await arrive();
      expect(await shop.stockOf(kettle)).toBe(left);
      expect(operationsOn((await shop.products.read(1)) ?? {})).toEqual([]);

      // A reservation or a key that came back ends after a minute, and takes no stock with it.
      shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
      await expect(shop.placement.place(1, cart(4), undefined)).rejects.toMatchObject({
        code: "InvalidArgument",
      });
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([left, 0]);
      const { record, replayed } = await shop.placement.place(1, cart(1), key);
      expect([record.id, replayed]).toEqual([1, attempts !== 3]);
      expect(await shop.stockOf(kettle)).toBe(2);
    },
  );

  it.each(["remove", "delete", "return"] as const)("returns no stock by a late %s", async (step) => {
    const { shop, kettle } = await withKettle(endpoint, { stock: 3 });
    const plans = [
      failing(step, "late", 1, 1),
      ...(step === "return" ? [failing("allocate", "throttled", 1, 3)] : []),
    ];
    const { client, arrive } = unlucky(endpoint, async (...call) => {
      for (const plan of plans) {
        const fault = await plan(...call);
        if (fault) return fault;
      }
      return undefined;
    });
    const placed = shop.placementWith(client).place(1, cart(1), undefined);
    if (step === "return") await expect(placed).rejects.toMatchObject(unavailable);
    else await placed;
    await shop.placement.place(1, cart(1), undefined);
    const left = await shop.stockOf(kettle);

    await arrive();
    expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([left, 0]);
    expect(left).toBe(step === "return" ? 2 : 1);
  });

  it.each([-60, -11, -6, 6, 11, 60])(
    "deducts once if the clock of a process is %i minutes off, and that of another one the other way",
    async (minutes) => {
      const { shop, kettle } = await withKettle(endpoint, { stock: 100 });
      const { client, arrive } = unlucky(endpoint, failing("deduct", "late", 1, 1));
      const at = (offset: number) => () => new Date(shop.clock.now.getTime() + offset * 60_000);
      await new OrderPlacement(client, shop.tables, at(minutes)).place(1, cart(1), undefined);
      const others = new OrderPlacement(shop.newProcess().client, shop.tables, at(-minutes));
      await others.place(1, cart(1), undefined);
      // Finds too little, and looks for reservations that are old by its clock.
      await expect(others.place(1, cart(101), undefined)).rejects.toMatchObject({ code: "InvalidArgument" });

      expect(await arrive()).toEqual([CONDITION_FAILED]);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([98, 0]);
    },
  );

  it("deletes no key of a later request when an abandoned reservation is released", async () => {
    const { shop, kettle } = await withKettle(endpoint, { stock: 9 });
    const key = idempotencyContext("key", { receivedAt: shop.clock.now });
    const dead = shop.newProcess(crashBefore("allocate"));
    await expect(dead.placement.place(1, cart(2), key)).rejects.toMatchObject(unavailable);

    // A day later the key is free again.
    shop.clock.now = new Date(shop.clock.now.getTime() + 25 * 3_600_000);
    const again = idempotencyContext("key", { receivedAt: shop.clock.now });
    const { record } = await shop.placement.place(1, cart(3), again);
    await expect(shop.placement.place(1, cart(9), undefined)).rejects.toMatchObject({
      code: "InvalidArgument",
    });
    expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([6, 0]);

    expect(await shop.placement.place(1, cart(3), again)).toEqual({ record, replayed: true });
    expect(await shop.stockOf(kettle)).toBe(6);
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
