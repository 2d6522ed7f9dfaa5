import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../lib/domain/errors.ts";
import type { CartItem } from "../../../../lib/validators/order.ts";
import { engines, fill } from "../../../support/database.ts";
import type { Fault, Plan } from "../../../support/faults.ts";
import { openShop, type Shop } from "../../../support/shop.ts";
import { meter } from "../../../support/usage.ts";

const ids = (records: readonly { id: number }[]) => records.map(({ id }) => id);
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const unavailable = { code: "ServiceUnavailable", headers: { "retry-after": "1" } };

describe.each(engines)("placing orders on $name", ({ endpoint }) => {
  /** Does something each time just before a call of this process is sent. */
  function interrupted(
    shop: Shop,
    command: string,
    interrupt: (time: number) => Promise<unknown>,
    plan?: Plan,
  ) {
    const { client, orders } = shop.staff(plan);
    let times = 0;
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === command) {
            times += 1;
            await interrupt(times);
          }
          return next(args);
        },
      { name: "interrupt", step: "initialize" },
    );
    return orders;
  }

  it("takes the stock and keeps the lines as they were given", async () => {
    const shop = await openShop(endpoint);
    const kettle = await shop.offer({ price: 0.1, stock: 10 });
    const pan = await shop.offer({ name: "Pan", price: 39.5, stock: 3 });
    const items = [
      { product_id: kettle.id, quantity: 2 },
      { product_id: pan.id, quantity: 3 },
      { product_id: kettle.id, quantity: 1 },
    ];
    const order = (await shop.orders.place(7, items, undefined)).record;

    const time = shop.clock.now.toISOString();
    expect(order).toEqual({
      id: 1,
      user_id: 7,
      items,
      total: 118.8,
      status: "pending",
      created_at: time,
      updated_at: time,
    });
    expect(await shop.orders.get(1)).toEqual(order);
    expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([7, 0, 0]);
  });

  it("takes four calls, one after the other", async () => {
    const shop = await openShop(endpoint);
    const kettle = await shop.offer();
    const { client, orders } = shop.staff();
    const measure = meter(client);

    const usage = await measure(() => orders.place(1, [{ product_id: kettle.id, quantity: 1 }], undefined));
    expect(usage).toMatchObject({ calls: 4, inSequence: 4 });
  });

  it.each<[string, CartItem[], object]>([
    ["an unknown product", [{ product_id: 99, quantity: 1 }], { code: "NotFound" }],
    ["too little stock", [{ product_id: 1, quantity: 11 }], { code: "InvalidArgument" }],
    [
      "too little stock for two lines",
      [
        { product_id: 2, quantity: 1 },
        { product_id: 1, quantity: 5 },
        { product_id: 1, quantity: 6 },
      ],
      { code: "InvalidArgument" },
    ],
    [
      "a total beyond all numbers",
      [
        { product_id: 1, quantity: 1 },
        { product_id: 3, quantity: 1e5 },
      ],
      { code: "ValidationError" },
    ],
  ])("changes nothing and uses no id when there is %s", async (_, cart, failure) => {
    const shop = await openShop(endpoint);
    const [kettle, pan] = [await shop.offer(), await shop.offer()];
    await shop.offer({ price: 1e12, stock: 1e12 });

    await expect(shop.orders.place(1, cart, undefined)).rejects.toMatchObject(failure);
    expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([10, 10, 0]);
    expect((await shop.orders.place(1, [{ product_id: 1, quantity: 10 }], undefined)).record.id).toBe(1);
  });

  it("sells exactly what there is, under ids without a gap, whoever orders what at once", async () => {
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
        const staff = [shop.orders, shop.staff().orders, shop.staff().orders];
        const results = await Promise.allSettled(
          wanted.map((cart, i) => (staff[i % staff.length] ?? shop.orders).place(1, cart, undefined)),
        );

        const placed = results.flatMap((result) =>
          result.status === "fulfilled" ? [result.value.record] : [],
        );
        for (const [i, result] of results.entries()) {
          if (result.status === "fulfilled") continue;
          const hasUnknown = wanted[i]?.some(({ product_id }) => product_id === 4);
          expect(result.reason).toBeInstanceOf(ApiError);
          expect(["InvalidArgument", ...(hasUnknown ? ["NotFound"] : [])]).toContain(result.reason.code);
        }
        for (const [i, product] of products.entries()) {
          const sold = placed
            .flatMap(({ items }) => items)
            .reduce((sum, { product_id, quantity }) => sum + (product_id === product.id ? quantity : 0), 0);
          const left = await shop.stockOf(product);
          expect(left).toBeGreaterThanOrEqual(0);
          expect(left).toBe((offered[i]?.stock ?? 0) - sold);
        }
        for (const { items, total } of placed) {
          const cents = items.reduce(
            (sum, item) => sum + (offered[item.product_id - 1]?.cents ?? 0) * item.quantity,
            0,
          );
          expect(total).toBe(cents / 100);
        }
        expect(ids(placed).sort((a, b) => a - b)).toEqual(upTo(placed.length));
        expect((await shop.orders.list({})).records).toEqual(placed.sort((a, b) => a.id - b.id));
        expect(await shop.reserved()).toBe(0);
      }),
      { numRuns: 10 },
    );
  });

  it("lets exactly 100 of 500 orders at once have a stock of 100", { timeout: 120_000 }, async () => {
    const shop = await openShop(endpoint);
    const kettle = await shop.offer({ stock: 100 });
    const results = await Promise.allSettled(
      Array.from({ length: 500 }, () =>
        shop.orders.place(1, [{ product_id: kettle.id, quantity: 1 }], undefined),
      ),
    );
    const refusals = results
      .filter((result) => result.status === "rejected")
      .map(({ reason }) => reason.code);

    expect(refusals).toEqual(Array.from({ length: 400 }, () => "InvalidArgument"));
    expect(ids((await shop.orders.list({})).records)).toEqual(upTo(100));
    expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([0, 0]);
  });

  describe("when a product changes between its reading and the taking", () => {
    const cart = [{ product_id: 1, quantity: 3 }];

    it("takes the new price", async () => {
      const shop = await openShop(endpoint);
      await shop.offer({ price: 10 });
      const orders = interrupted(shop, "TransactWriteItemsCommand", async (time) => {
        if (time === 1) await shop.products.update(1, { price: 0.1 });
      });

      expect((await orders.place(1, cart, undefined)).record).toMatchObject({ id: 1, total: 0.3 });
    });

    it("does not mind other stock, as long as it is enough", async () => {
      const shop = await openShop(endpoint);
      const kettle = await shop.offer();
      const orders = interrupted(shop, "TransactWriteItemsCommand", async (time) => {
        if (time === 1) await shop.products.update(1, { stock: 3 });
      });

      expect((await orders.place(1, cart, undefined)).record).toMatchObject({ id: 1, total: 30 });
      expect(await shop.stockOf(kettle)).toBe(0);
    });

    it("refuses when the stock is gone, and when the product is", async () => {
      const shop = await openShop(endpoint);
      const kettle = await shop.offer();
      const tooLate = interrupted(shop, "TransactWriteItemsCommand", () =>
        shop.products.update(1, { stock: 2 }),
      );

      await expect(tooLate.place(1, cart, undefined)).rejects.toMatchObject({ code: "InvalidArgument" });
      expect(await shop.stockOf(kettle)).toBe(2);

      await shop.products.update(1, { stock: 10 });
      const gone = interrupted(shop, "TransactWriteItemsCommand", () => shop.products.remove(1));
      await expect(gone.place(1, cart, undefined)).rejects.toMatchObject({ code: "NotFound" });
      expect(await shop.reserved()).toBe(0);
    });

    it("gives up on a price that does not stand still", async () => {
      const shop = await openShop(endpoint);
      const kettle = await shop.offer();
      const orders = interrupted(shop, "TransactWriteItemsCommand", (time) =>
        shop.products.update(1, { price: time }),
      );

      await expect(orders.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([10, 0]);
      expect((await shop.orders.place(1, cart, undefined)).record.id).toBe(1);
    });
  });

  describe("when DynamoDB fails", () => {
    const cart = [{ product_id: 1, quantity: 3 }];

    /** Fails some attempts at one of the calls: those numbered `from` to `to`. */
    async function placing(operation: string, fault: Fault, from: number, to: number) {
      const shop = await openShop(endpoint);
      const kettle = await shop.offer();
      const { orders } = shop.staff((called, attempt) =>
        called === operation && attempt >= from && attempt <= to ? fault : undefined,
      );
      return { shop, kettle, orders };
    }

    it.each(
      [
        ["BatchGetItem", 1],
        ["TransactWriteItems", 1],
        ["UpdateItem", 1],
        ["TransactWriteItems", 2],
      ].flatMap(([operation, attempt]) =>
        (["conflict", "throttled", "timeout", "lost", "refused"] as const).map(
          (fault) => [fault, String(operation), Number(attempt)] as const,
        ),
      ),
    )(
      "places one order after all when one attempt is %s: %s, attempt %i",
      async (fault, operation, attempt) => {
        const { shop, kettle, orders } = await placing(operation, fault, attempt, attempt);

        const first = (await orders.place(1, cart, undefined)).record;
        const second = (await orders.place(1, cart, undefined)).record;
        expect(ids([first, second])).toEqual([1, 2]);
        expect((await shop.orders.list({})).records).toEqual([first, second]);
        expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([4, 0]);
      },
    );

    it.each([
      ["BatchGetItem", "throttled", 1, 3],
      ["TransactWriteItems", "throttled", 1, 3],
      ["TransactWriteItems", "timeout", 1, 3],
      ["TransactWriteItems", "lost", 1, 3],
      ["TransactWriteItems", "conflict", 1, 80],
      ["UpdateItem", "throttled", 1, 3],
      ["UpdateItem", "timeout", 1, 3],
      ["TransactWriteItems", "throttled", 2, 4],
      ["TransactWriteItems", "timeout", 2, 4],
      ["TransactWriteItems", "refused", 2, 4],
      ["TransactWriteItems", "conflict", 2, 9],
    ] as const)(
      "leaves nothing behind when %s stays %s from attempt %i to %i",
      async (operation, fault, from, to) => {
        const { shop, kettle, orders } = await placing(operation, fault, from, to);

        await expect(orders.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
        expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([10, 0]);
        expect((await orders.place(1, cart, undefined)).record).toMatchObject({ id: 1 });
        expect(await shop.stockOf(kettle)).toBe(7);
      },
    );

    it("has placed the order when every answer to its last call was lost", async () => {
      const { shop, kettle, orders } = await placing("TransactWriteItems", "lost", 2, 4);

      const order = (await orders.place(1, cart, undefined)).record;
      expect((await shop.orders.list({})).records).toEqual([order]);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([7, 0]);
      expect((await orders.place(1, cart, undefined)).record.id).toBe(2);
    });

    it("looks again when a transaction both met another one and failed a condition", async () => {
      const { shop, kettle, orders } = await placing("TransactWriteItems", "contested", 1, 1);

      expect((await orders.place(1, cart, undefined)).record.id).toBe(1);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([7, 0]);
    });

    it("refuses for want of stock when others take it all while it waits its turn", async () => {
      const shop = await openShop(endpoint);
      const kettle = await shop.offer();
      const takeAll = () => shop.products.update(1, { stock: 0 });
      const orders = interrupted(shop, "TransactWriteItemsCommand", takeAll, (operation, attempt) =>
        operation === "TransactWriteItems" && attempt <= 8 ? "conflict" : undefined,
      );

      await expect(orders.place(1, cart, undefined)).rejects.toMatchObject({ code: "InvalidArgument" });
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([0, 0]);
    });

    it("enters the id as gone when the order failed after somebody had drawn the next one", async () => {
      const shop = await openShop(endpoint);
      const kettle = await shop.offer();
      const somebodyElse = async (time: number) => time === 2 && shop.orders.place(2, cart, undefined);
      const orders = interrupted(shop, "TransactWriteItemsCommand", somebodyElse, (operation, attempt) =>
        operation === "TransactWriteItems" && attempt >= 2 && attempt <= 4 ? "throttled" : undefined,
      );

      await expect(orders.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect((await shop.orders.list({})).records).toMatchObject([{ id: 2, user_id: 2 }]);
      expect((await shop.orders.place(1, cart, undefined)).record.id).toBe(3);
      expect(await shop.stockOf(kettle)).toBe(4);
    });

    it("draws another id when a record stands there already", async () => {
      const shop = await openShop(endpoint);
      await shop.offer();
      await fill(shop.staff().client, shop.tables.orders, [{ pk: "0", sk: 1, note: "from a backup" }]);

      expect((await shop.orders.place(1, cart, undefined)).record.id).toBe(2);
      expect(await shop.orders.get(2)).toMatchObject({ user_id: 1, total: 30 });
    });
  });

  describe("when a process dies on the way", () => {
    const everything = [{ product_id: 1, quantity: 10 }];

    /** A shop in which all stock is held by an order of which nothing more was ever heard. */
    async function abandoned() {
      const shop = await openShop(endpoint);
      const [kettle, pan] = [await shop.offer(), await shop.offer()];
      const { orders } = shop.staff((operation, attempt) =>
        operation === "UpdateItem" || (operation === "TransactWriteItems" && attempt > 1)
          ? "refused"
          : undefined,
      );
      const cart = [...everything, { product_id: 2, quantity: 4 }];
      await expect(orders.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([0, 6, 1]);
      return { shop, kettle, pan };
    }

    it("gives its stock to the next who would go without, after a minute", async () => {
      const { shop, kettle, pan } = await abandoned();
      await expect(shop.orders.place(1, everything, undefined)).rejects.toMatchObject({
        code: "InvalidArgument",
      });

      shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
      expect((await shop.orders.place(1, everything, undefined)).record).toMatchObject({ id: 1 });
      expect([await shop.stockOf(kettle), await shop.stockOf(pan), await shop.reserved()]).toEqual([
        0, 10, 0,
      ]);
    });

    it("does not look for it more than once a minute", async () => {
      const { shop } = await abandoned();
      const { client, orders } = shop.staff();
      const measure = meter(client);
      const order = () =>
        expect(orders.place(1, everything, undefined)).rejects.toMatchObject({ code: "InvalidArgument" });

      expect((await measure(order)).calls).toBe(5);
      expect((await measure(order)).calls).toBe(1);
      shop.clock.now = new Date(shop.clock.now.getTime() + 60_000);
      expect((await measure(order)).calls).toBe(5);
    });

    it("gives back what can be given back when a product is gone meanwhile", async () => {
      const { shop, kettle, pan } = await abandoned();
      await shop.products.remove(kettle.id);
      shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);

      await expect(
        shop.orders.place(1, [{ product_id: pan.id, quantity: 11 }], undefined),
      ).rejects.toMatchObject({
        code: "InvalidArgument",
      });
      expect([await shop.stockOf(pan), await shop.reserved()]).toEqual([10, 0]);
      expect(await shop.products.get(kettle.id)).toBeUndefined();
    });

    it("cannot finish the order when it turns out to be alive", async () => {
      const shop = await openShop(endpoint);
      const kettle = await shop.offer();
      const sleeper = interrupted(shop, "UpdateItemCommand", async () => {
        shop.clock.now = new Date(shop.clock.now.getTime() + 60_001);
        await shop.orders.place(2, everything, undefined);
      });

      await expect(sleeper.place(1, everything, undefined)).rejects.toMatchObject(unavailable);
      expect((await shop.orders.list({})).records).toMatchObject([{ id: 1, user_id: 2 }]);
      expect([await shop.stockOf(kettle), await shop.reserved()]).toEqual([0, 0]);
      await shop.products.update(kettle.id, { stock: 10 });
      expect((await shop.orders.place(1, everything, undefined)).record.id).toBe(2);
    });
  });
});
