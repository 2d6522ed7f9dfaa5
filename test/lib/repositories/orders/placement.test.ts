import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../lib/domain/errors.ts";
import type { CartItem } from "../../../../lib/validators/order.ts";
import type { Product } from "../../../../lib/validators/product.ts";
import { openShop, type Shop, withKettle } from "../../../functions/orders/shop.ts";
import { atStep, type Step } from "../../../functions/orders/steps.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { scanTable } from "../../../support/data/stored-items.ts";
import { engines } from "../../../support/database/database.ts";
import { scaled } from "../../../support/effort.ts";

type Orders = readonly { readonly id: number; readonly items: readonly CartItem[] }[];
const ids = (orders: Orders) => orders.map(({ id }) => id);
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** Places all carts at the same time, and checks why the others are refused: the orders. */
async function placeInThreeProcesses(shop: Shop, carts: readonly (readonly CartItem[])[]) {
  const processes = [shop.placement, shop.newProcess().placement, shop.newProcess().placement];
  const placementOf = (i: number) => processes[i % processes.length] ?? shop.placement;
  const results = await Promise.allSettled(carts.map((cart, i) => placementOf(i).place(1, cart, undefined)));
  for (const [i, result] of results.entries())
    if (result.status === "rejected") expectRefusal(result.reason, carts[i] ?? []);
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value.record] : []));
}

/** What is left of a product is what was offered, less what the orders contain. */
async function expectStock(shop: Shop, product: Product, orders: Orders): Promise<void> {
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
const cart = [{ product_id: 1, quantity: 3 }];

describe.each(engines)("placing orders on $name", ({ endpoint }) => {
  /** A process that runs `interrupt` just before it makes a step for the first time, or each time. */
  function interrupted(shop: Shop, step: Step, interrupt: (count: number) => Promise<unknown>) {
    const plan = atStep(step, async (count) => void (await interrupt(count)));
    return shop.newProcess(plan).placement;
  }

  it("never oversells and leaves no id gaps under concurrent orders", async () => {
    const line = fc.record({
      product_id: fc.integer({ min: 1, max: 4 }),
      quantity: fc.integer({ min: 1, max: 5 }),
    });
    const carts = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 20 });
    const stock = fc.integer({ min: 0, max: 20 });
    const offer = fc.record({ stock, cents: fc.integer({ min: 1, max: 1e6 }) });
    const offers = fc.tuple(offer, offer, offer);
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
        expect(await shop.pending()).toBe(0);
      }),
      { numRuns: scaled(10) },
    );
  });

  const stock = scaled(100);
  const orders = scaled(500);

  it(`accepts exactly ${stock} of ${orders} concurrent orders for a stock of ${stock}`, async () => {
    const { shop, kettle } = await withKettle(endpoint, { stock });
    const place = () => shop.placement.place(1, [{ product_id: 1, quantity: 1 }], undefined);
    const results = await Promise.allSettled(Array.from({ length: orders }, place));
    const refusals = results.filter((each) => each.status === "rejected").map(({ reason }) => reason.code);
    expect(refusals).toEqual(Array.from({ length: orders - stock }, () => "InvalidArgument"));
    expect(ids((await shop.orders.list({})).records)).toEqual(upTo(stock));
    expect([await shop.stockOf(kettle), await shop.pending()]).toEqual([0, 0]);
  });

  it.each([
    ["more than there is", { product_id: 2, quantity: 11 }, refused],
    ["a product that does not exist", { product_id: 3, quantity: 1 }, { code: "NotFound" }],
  ])("changes nothing if a cart has %s, and uses no id", async (_, line, expected) => {
    const shop = await openShop(endpoint);
    for (let i = 0; i < 2; i += 1) await shop.offer();
    const contents = () =>
      Promise.all([shop.tables.orders, shop.tables.products].map((table) => scanTable(endpoint, table)));
    const before = await contents();
    for (const key of [undefined, idempotencyContext("k")])
      await expect(shop.placement.place(1, [...cart, line], key)).rejects.toMatchObject(expected);

    expect(await contents()).toEqual(before);
    expect((await shop.placement.place(1, cart, undefined)).record.id).toBe(1);
  });

  describe("when a product changes between the check and the deduction", () => {
    it.each([
      [{ price: 0.1 }, 0.3, 7],
      [{ stock: 3 }, 30, 0],
    ])("accepts %j", async (change, total, left) => {
      const { shop, kettle } = await withKettle(endpoint);
      const placement = interrupted(shop, "deduct", () => shop.products.update(1, change));
      expect((await placement.place(1, cart, undefined)).record).toMatchObject({ id: 1, total });
      expect(await shop.stockOf(kettle)).toBe(left);
    });

    it.each([
      ["less", (shop: Shop) => shop.products.update(1, { stock: 2 }), "InvalidArgument"],
      ["deleted", (shop: Shop) => shop.products.remove(1), "NotFound"],
    ])("refuses the cart if it is %s", async (_, act, code) => {
      const { shop } = await withKettle(endpoint);
      const placement = interrupted(shop, "deduct", () => act(shop));
      await expect(placement.place(1, cart, undefined)).rejects.toMatchObject({ code });
      expect([await shop.pending(), (await shop.orders.list({})).records]).toEqual([0, []]);
    });

    it("gives up after ten attempts, and has changed nothing", async () => {
      const { shop, kettle } = await withKettle(endpoint);
      const placement = interrupted(shop, "deduct", (count) => shop.products.update(1, { price: count }));
      await expect(placement.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect([await shop.stockOf(kettle), await shop.pending()]).toEqual([10, 0]);
      expect((await shop.placement.place(1, cart, undefined)).record.id).toBe(1);
    });
  });

  it.each([
    ["sold out", (shop: Shop) => shop.products.update(1, { stock: 0 })],
    ["deleted", (shop: Shop) => shop.products.remove(1)],
  ])("returns what another request with the key has ordered, even if it is %s now", async (_, end) => {
    const { shop } = await withKettle(endpoint);
    const key = idempotencyContext("k");
    let first: unknown;
    const placement = interrupted(shop, "read", async (count) => {
      if (count > 1) return;
      first = (await shop.placement.place(1, cart, key)).record;
      await end(shop);
    });
    expect(await placement.place(1, cart, key)).toEqual({ record: first, replayed: true });
    expect((await shop.orders.list({})).records).toEqual([first]);
  });
});
