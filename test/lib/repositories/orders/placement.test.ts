import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../lib/domain/errors.ts";
import { operationsOn } from "../../../../lib/records/exactly-once.ts";
import { PARTITIONS, Reservations } from "../../../../lib/repositories/orders/reservations.ts";
import { type CartItem, MAX_PRODUCTS } from "../../../../lib/validators/order.ts";
import type { Product } from "../../../../lib/validators/product.ts";
import { openShop, type Shop, withKettle } from "../../../functions/orders/shop.ts";
import { atStep, crashBefore, failing, type Step } from "../../../functions/orders/steps.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { scanTable } from "../../../support/data/stored-items.ts";
import { throughBurst } from "../../../support/database/burst.ts";
import { engines, fill, onDefaultEngine, testClient } from "../../../support/database/database.ts";
import type { Fault } from "../../../support/database/faults.ts";
import { scaled } from "../../../support/effort.ts";
import { meter } from "../../../support/programs/usage.ts";

const ids = (records: readonly { id: number }[]) => records.map(({ id }) => id);
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Places all carts at the same time, and checks why the others are refused: the orders. */
async function placeInThreeProcesses(shop: Shop, carts: readonly (readonly CartItem[])[]) {
  const processes = [shop.placement, shop.newProcess().placement, shop.newProcess().placement];
  const results = await Promise.allSettled(
    carts.map((cart, i) => (processes[i % processes.length] ?? shop.placement).place(1, cart, undefined)),
  );
  for (const [i, result] of results.entries())
    if (result.status === "rejected") expectRefusal(result.reason, carts[i] ?? []);
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value.record] : []));
}

/** What is left of a product is what was offered, less what the orders contain. */
async function expectStock(
  shop: Shop,
  product: Product,
  orders: readonly { readonly items: readonly CartItem[] }[],
): Promise<void> {
  const lines = orders.flatMap(({ items }) => items).filter(({ product_id }) => product_id === product.id);
  const left = await shop.stockOf(product);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(left).toBe(product.stock - sum(lines.map(({ quantity }) => quantity)));
}

/** A cart is refused for lack of stock, or because it has product 4, which does not exist. */
function expectRefusal(error: unknown, cart: readonly CartItem[]): void {
  const hasUnknown = cart.some(({ product_id }) => product_id === 4);
  expect(error).toBeInstanceOf(ApiError);
  expect(["InvalidArgument", ...(hasUnknown ? ["NotFound"] : [])]).toContain((error as ApiError).code);
}

const unavailable = { code: "ServiceUnavailable", retryAfterSeconds: expect.any(Number) };
const refused = { code: "InvalidArgument" };

describe.each(engines)("placing orders on $name", ({ endpoint }) => {
  /** A process that runs `interrupt` just before it makes a step for the first time, or each time. */
  function interrupted(shop: Shop, step: Step, interrupt: (count: number) => Promise<unknown>) {
    return shop.newProcess(
      atStep(step, async (count) => {
        await interrupt(count);
        return undefined;
      }),
    ).placement;
  }

  it("never oversells and leaves no id gaps under concurrent orders", async () => {
    const line = fc.record({
      product_id: fc.integer({ min: 1, max: 4 }),
      quantity: fc.integer({ min: 1, max: 5 }),
    });
    const carts = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 20 });
    const offers = fc.array(
      fc.record({ stock: fc.integer({ min: 0, max: 20 }), cents: fc.integer({ min: 1, max: 1e6 }) }),
      { minLength: 3, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(offers, carts, async (offered, wanted) => {
        const shop = await openShop(endpoint);
        const products = [];
        for (const { stock, cents } of offered)
          products.push(await shop.offer({ stock, price: cents / 100 }));
        const placed = await placeInThreeProcesses(shop, wanted);
        for (const product of products) await expectStock(shop, product, placed);
        for (const { items, total } of placed) {
          const cents = items.map((item) => Number(offered[item.product_id - 1]?.cents) * item.quantity);
          expect(total).toBe(sum(cents) / 100);
        }
        expect(ids(placed).sort((a, b) => a - b)).toEqual(upTo(placed.length));
        expect((await shop.orders.list({})).records).toEqual(placed.sort((a, b) => a.id - b.id));
        expect(await shop.reserved()).toBe(0);
      }),
      { numRuns: scaled(10) },
    );
  });

  const stock = scaled(100);
  const orders = scaled(500);

  it(`accepts exactly ${stock} of ${orders} concurrent orders for a stock of ${stock}`, async () => {
    const { shop, kettle } = await withKettle(endpoint, { stock });
    const results = await Promise.allSettled(
      Array.from({ length: orders }, () =>
        shop.placement.place(1, [{ product_id: kettle.id, quantity: 1 }], undefined),
      ),
    );
    const refusals = results.filter((each) => each.status === "rejected").map(({ reason }) => reason.code);

    expect(refusals).toEqual(Array.from({ length: orders - stock }, () => "InvalidArgument"));
    expect(ids((await shop.orders.list({})).records)).toEqual(upTo(stock));
    expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([0, 0]);
  });

  describe("when a product changes between the check and the reservation", () => {
    const cart = [{ product_id: 1, quantity: 3 }];

    it("uses the new price", async () => {
      const shop = await openShop(endpoint);
      await shop.offer({ price: 10 });
      const placement = interrupted(shop, "deduct", async (count) => {
        if (count === 1) await shop.products.update(1, { price: 0.1 });
      });

      expect((await placement.place(1, cart, undefined)).record).toMatchObject({ id: 1, total: 0.3 });
    });

    it("accepts any other stock that is enough", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const placement = interrupted(shop, "deduct", async (count) => {
        if (count === 1) await shop.products.update(1, { stock: 3 });
      });

      expect((await placement.place(1, cart, undefined)).record).toMatchObject({ id: 1, total: 30 });
      expect(await shop.stockOf(kettle)).toBe(0);
    });

    it("rejects the cart when the stock is too low or the product is deleted", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const outOfStock = interrupted(shop, "deduct", () => shop.products.update(1, { stock: 2 }));

      await expect(outOfStock.place(1, cart, undefined)).rejects.toMatchObject(refused);
      expect(await shop.stockOf(kettle)).toBe(2);

      await shop.products.update(1, { stock: 10 });
      const deleted = interrupted(shop, "deduct", () => shop.products.remove(1));
      await expect(deleted.place(1, cart, undefined)).rejects.toMatchObject({ code: "NotFound" });
      expect(await shop.reserved()).toBe(0);
    });

    it("gives up when the price keeps changing", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const placement = interrupted(shop, "deduct", (count) => shop.products.update(1, { price: count }));
      await expect(placement.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([10, 0]);
      expect((await shop.placement.place(1, cart, undefined)).record.id).toBe(1);
    });
  });

  describe.each(onDefaultEngine(["when DynamoDB fails"]))("%s", () => {
    const cart = [{ product_id: 1, quantity: 3 }];

    async function placing(step: Step, fault: Fault, from: number, to: number) {
      const { shop, kettle } = await withKettle(endpoint);
      return { shop, kettle, placement: shop.newProcess(failing(step, fault, from, to)).placement };
    }

    const steps = ["read", "reserve", "deduct", "allocate", "complete"] as const;
    it.each(
      steps.flatMap((step) =>
        (["throttled", "timeout", "refused", "conflict"] as const).map((fault) => [step, fault] as const),
      ),
    )("leaves nothing behind when all attempts at %s are %s", async (step, fault) => {
      const { shop, kettle, placement } = await placing(step, fault, 1, fault === "conflict" ? 8 : 3);
      const key = idempotencyContext("k");

      await expect(placement.place(1, cart, key)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([10, 0]);
      expect(operationsOn((await shop.products.read(1)) ?? {})).toEqual([]);
      expect((await placement.place(1, cart, key)).record).toMatchObject({ id: 1 });
      expect(await shop.stockOf(kettle)).toBe(7);
    });

    it.each(["deduct", "allocate", "complete", "remove"] as const)(
      "has placed the order when all responses of %s are lost",
      async (step) => {
        const { shop, kettle, placement } = await placing(step, "lost", 1, 3);

        const order = (await placement.place(1, cart, undefined)).record;
        expect((await shop.orders.list({})).records).toEqual([order]);
        expect(await shop.stockOf(kettle)).toBe(7);
        expect((await placement.place(1, cart, undefined)).record.id).toBe(2);
        expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([4, 0]);
        expect(operationsOn((await shop.products.read(1)) ?? {})).toEqual([]);
      },
    );

    it.each(["remove", "delete"] as const)(
      "finishes an order with the next one if the %s fails",
      async (step) => {
        const { shop, kettle, placement } = await placing(step, "throttled", 1, 3);
        await placement.place(1, cart, undefined);
        expect(await shop.reserved()).toBe(1);
        await placement.place(1, cart, undefined);

        expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([4, 0]);
        expect(operationsOn((await shop.products.read(1)) ?? {})).toEqual([]);
      },
    );

    it("deducts nothing of a cart of which one product is contested, and gives up when it stays so", async () => {
      const { shop, kettle, placement } = await placing("deduct", "conflict", 2, 9);
      const pan = await shop.offer();
      const both = [...cart, { product_id: pan.id, quantity: 1 }];

      await expect(placement.place(1, both, undefined)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([
        10, 10, 0,
      ]);
      expect((await placement.place(1, both, undefined)).record).toMatchObject({ id: 1 });
    });

    it("waits while a product has too many orders in progress, and ends those of dead processes", async () => {
      const { shop, kettle } = await withKettle(endpoint, { stock: 100 });
      const reservations = new Reservations(shop.newProcess().client, shop.tables, () => shop.clock.now);
      const deduction = { product_id: kettle.id, quantity: 1, product: { price: 10, epoch: 0 } };
      const [first] = await Promise.all(upTo(32).map(() => reservations.reserve([deduction])));
      await expect(shop.newProcess().placement.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([68, 32]);

      const waiting = interrupted(shop, "read", async (count) => {
        if (count === 3 && first) await reservations.release(first, false);
      });
      expect((await waiting.place(1, cart, undefined)).record.id).toBe(1);
      await reservations.reserve([deduction]);

      shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
      expect((await shop.placement.place(1, cart, undefined)).record.id).toBe(2);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([94, 0]);
    });

    it("leaves no operation on a product, and costs what it did, after a burst of throttling", async () => {
      const { shop, kettle } = await withKettle(endpoint, { stock: 1_000 });
      const { before, after } = await throughBurst(endpoint, (client) => {
        const placement = shop.placementWith(client);
        return () => placement.place(1, [{ product_id: kettle.id, quantity: 1 }], undefined);
      });
      await shop.placement.place(1, [{ product_id: kettle.id, quantity: 1 }], undefined);
      shop.clock.now = new Date(shop.clock.now.getTime() + 120_000);
      // Finds too little, and what processes have left that were throttled until their end.
      await expect(
        shop.placement.place(1, [{ product_id: kettle.id, quantity: 1_000 }], undefined),
      ).rejects.toMatchObject({ code: "InvalidArgument" });
      const [item = {}] = await shop.products.readMany([kettle.id]);
      const { records } = await shop.orders.list({});
      expect([after, operationsOn(item), await shop.reserved()]).toEqual([before, [], 0]);
      expect(await shop.stockOf(kettle)).toBe(1_000 - records.length);
    });

    it("tombstones the id when the order fails after somebody allocated the next one", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const { placement } = shop.newProcess(
        atStep("complete", async (attempt) => {
          if (attempt === 1) await shop.placement.place(2, cart, undefined);
          return attempt <= 3 ? "throttled" : undefined;
        }),
      );

      await expect(placement.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect((await shop.orders.list({})).records).toMatchObject([{ id: 2, user_id: 2 }]);
      expect((await shop.placement.place(1, cart, undefined)).record.id).toBe(3);
      expect(await shop.stockOf(kettle)).toBe(4);
    });

    it("allocates another id when a record has it already", async () => {
      const shop = await openShop(endpoint);
      await shop.offer();
      await fill(shop.newProcess().client, shop.tables.orders, [{ pk: "0", sk: 1, note: "from a backup" }]);
      expect((await shop.placement.place(1, cart, undefined)).record.id).toBe(2);
      expect(await shop.orders.get(2)).toMatchObject({ user_id: 1, total: 30 });
    });
  });

  describe.each(onDefaultEngine(["when a process crashes after reserving"]))("%s", () => {
    const allStock = [{ product_id: 1, quantity: 10 }];

    /** A shop in which all stock is held by the reservation of a crashed process. */
    async function abandoned() {
      const shop = await openShop(endpoint);
      const [kettle, pan] = [await shop.offer(), await shop.offer()];
      const { placement } = shop.newProcess(crashBefore("allocate"));
      const cart = [...allStock, { product_id: 2, quantity: 4 }];
      await expect(placement.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([0, 6, 1]);
      return { shop, kettle, pan };
    }

    it("releases its stock after a minute, when an order needs it", async () => {
      const { shop, kettle, pan } = await abandoned();
      await expect(shop.placement.place(1, allStock, undefined)).rejects.toMatchObject(refused);

      shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
      expect((await shop.placement.place(1, allStock, undefined)).record).toMatchObject({ id: 1 });
      expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([
        0, 10, 0,
      ]);
    });

    it("releases the stock of a reservation from a wrong clock, which never gets old", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const product_id = kettle.id;
      const reservations = (ahead: number) =>
        new Reservations(testClient(endpoint), shop.tables, () => new Date(shop.clock.now.getTime() + ahead));
      const key = idempotencyContext("k");
      const product = { price: 10, epoch: 0 };
      await reservations(5 * 60_000).reserve([{ product_id, quantity: 2, product }]);
      await reservations(5 * 60_000 + 1).reserve([{ product_id, quantity: 3, product }], key);
      await fill(testClient(endpoint), shop.tables.orders, [{ pk: PARTITIONS[0], sk: 1, reserved_at: "" }]);

      // The request of the key is repeated, and releases its earlier reservation.
      expect((await shop.placement.place(1, [{ product_id, quantity: 1 }], key)).replayed).toBe(false);
      expect(await shop.stockOf(kettle)).toBe(7);
    });

    it("releases a cart of as many products as an order can have", async () => {
      const shop = await openShop(endpoint);
      const products = [];
      for (let i = 0; i < MAX_PRODUCTS; i += 1) products.push(await shop.offer());
      const full = products.map(({ id }) => ({ product_id: id, quantity: 10 }));
      const crashing = shop.newProcess(crashBefore("allocate"));
      await expect(crashing.placement.place(1, full, idempotencyContext("k"))).rejects.toMatchObject(
        unavailable,
      );
      expect(await shop.reserved()).toBe(1);

      shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
      expect((await shop.placement.place(1, full, undefined)).record).toMatchObject({ id: 1, items: full });
      expect(await shop.reserved()).toBe(0);
      const left = await scanTable(endpoint, shop.tables.orders);
      // The order and the counter.
      expect(left.map(({ pk }) => pk?.S).sort()).toEqual(["0", "ids"]);
    });

    it("looks for it at most once a minute", async () => {
      const { shop } = await abandoned();
      const { client, placement } = shop.newProcess();
      const measure = meter(client);
      const placeOrder = () => expect(placement.place(1, allStock, undefined)).rejects.toMatchObject(refused);

      expect((await measure(placeOrder)).calls).toBe(5);
      expect((await measure(placeOrder)).calls).toBe(1);
      shop.clock.now = new Date(shop.clock.now.getTime() + 60_000);
      expect((await measure(placeOrder)).calls).toBe(5);
    });

    it("returns the stock of the other products when one has been deleted", async () => {
      const { shop, kettle, pan } = await abandoned();
      await shop.products.remove(kettle.id);
      shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);

      await expect(
        shop.placement.place(1, [{ product_id: pan.id, quantity: 11 }], undefined),
      ).rejects.toMatchObject(refused);
      expect([await shop.stockOf(pan), await shop.reserved()]).toEqual([10, 0]);
      expect(await shop.products.get(kettle.id)).toBeUndefined();
    });

    it.each([
      ["deduct", 10, 10],
      ["allocate", 7, 10],
      ["complete", 7, 10],
      ["remove", 7, 7],
      ["delete", 7, 7],
    ] as const)(
      "returns or keeps what a process has deducted that ends before it can %s",
      async (step, left, atEnd) => {
        const { shop, kettle } = await withKettle(endpoint);
        const placed = shop
          .newProcess(crashBefore(step))
          .placement.place(1, [{ product_id: 1, quantity: 3 }], undefined);
        const orders = atEnd === 7 ? [(await placed).record] : [];
        if (atEnd === 10) await expect(placed).rejects.toMatchObject(unavailable);
        expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([left, 1]);

        shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
        const tooMany = [{ product_id: 1, quantity: 11 }];
        await expect(shop.placement.place(1, tooMany, undefined)).rejects.toMatchObject(refused);
        expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([atEnd, 0]);
        expect((await shop.orders.list({})).records).toEqual(orders);
        expect(operationsOn((await shop.products.read(1)) ?? {})).toEqual([]);
      },
    );

    it("returns nothing twice if the process that releases ends before it can return or delete", async () => {
      for (const step of ["return", "delete"] as const) {
        const { shop, kettle, pan } = await abandoned();
        shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
        const { client } = shop.newProcess(crashBefore(step));
        const dying = new Reservations(client, shop.tables, () => shop.clock.now);
        await expect(dying.releaseAbandoned()).rejects.toMatchObject(unavailable);
        const others = new Reservations(shop.newProcess().client, shop.tables, () => shop.clock.now);
        expect(await others.releaseAbandoned()).toBe(1);

        expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([
          10, 10, 0,
        ]);
      }
    });

    it("deducts no stock for a reservation that was released in between", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const slow = interrupted(shop, "deduct", async (count) => {
        if (count !== 1) return;
        shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
        const reservations = new Reservations(testClient(endpoint), shop.tables, () => shop.clock.now);
        expect(await reservations.releaseAbandoned()).toBe(1);
      });

      expect((await slow.place(1, allStock, undefined)).record.id).toBe(1);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([0, 0]);
    });

    it("cannot complete an order whose stock was returned by a process that ended before its last step", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const slow = interrupted(shop, "complete", async (count) => {
        if (count !== 1) return;
        shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
        const { client } = shop.newProcess(crashBefore("delete"));
        const dying = new Reservations(client, shop.tables, () => shop.clock.now);
        await expect(dying.releaseAbandoned()).rejects.toMatchObject(unavailable);
      });

      await expect(slow.place(1, allStock, undefined)).rejects.toMatchObject(unavailable);
      expect((await shop.orders.list({})).records).toEqual([]);
      expect(await shop.stockOf(kettle)).toBe(10);
    });

    it("cannot complete the order when the process was only slow", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const slow = interrupted(shop, "allocate", async () => {
        shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
        await shop.placement.place(2, allStock, undefined);
      });

      await expect(slow.place(1, allStock, undefined)).rejects.toMatchObject(unavailable);
      expect((await shop.orders.list({})).records).toMatchObject([{ id: 1, user_id: 2 }]);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([0, 0]);
      await shop.products.update(kettle.id, { stock: 10 });
      expect((await shop.placement.place(1, allStock, undefined)).record.id).toBe(2);
    });
  });
});
