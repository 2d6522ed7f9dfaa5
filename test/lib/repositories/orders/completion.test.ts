import { describe, expect, it } from "vitest";
import { repairIds } from "../../../../lib/records/id-repair.ts";
import { OrdersRepository } from "../../../../lib/repositories/orders/orders.ts";
import { PARTITIONS } from "../../../../lib/repositories/orders/placement.ts";
import { openShop, type Shop } from "../../../functions/orders/shop.ts";
import { atStep, dyingAfter, failing, type Step, stepOf } from "../../../functions/orders/steps.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { engines, fill, onDefaultEngine, testClient } from "../../../support/database/database.ts";
import type { Plan } from "../../../support/database/faults.ts";
import { meter } from "../../../support/programs/usage.ts";

const cart = [{ product_id: 1, quantity: 3 }];
const soldOut = [{ product_id: 2, quantity: 11 }];
const unavailable = { code: "ServiceUnavailable", retryAfterSeconds: expect.any(Number) };
const refused = { code: "InvalidArgument" };
const context = idempotencyContext("k");

/** Who completes an order whose process has died, beside the daily repair (test/lib/repositories/faults.test.ts). */
const ways: Readonly<Record<string, (shop: Shop) => Promise<unknown>>> = {
  "the next request with its key": (shop) => shop.newProcess().placement.place(1, cart, context, "ada"),
  async "another order a minute later"(shop) {
    const { placement } = shop.newProcess();
    shop.waitAMinute();
    await expect(placement.place(2, soldOut, undefined)).rejects.toMatchObject(refused);
  },
};

describe.each(engines)("orders whose process dies on $name", ({ endpoint }) => {
  async function withTwoProducts() {
    const shop = await openShop(endpoint);
    const [kettle] = [await shop.offer(), await shop.offer()];
    const state = async () => [await shop.stockOf(kettle), await shop.pending()];
    return { shop, state };
  }

  const repairedIds = (shop: Shop) =>
    repairIds(testClient(endpoint), [{ name: shop.tables.orders }], { wait: async () => undefined });

  /** A shop in which a process has died after a step. */
  async function abandoned(step: Step = "deduct") {
    const { shop, state } = await withTwoProducts();
    const { placement } = shop.newProcess(dyingAfter(step));
    await expect(placement.place(1, cart, context, "ada")).rejects.toMatchObject(unavailable);
    expect(await state()).toEqual([7, step === "create" ? 0 : 1]);
    return { shop, state };
  }

  // One that dies before the deduction leaves nothing (placement.test.ts).
  const deaths = (["deduct", "allocate", "create"] as const).flatMap((step) =>
    Object.keys(ways).map((way) => [step, way] as const),
  );

  it.each(deaths)("after %s are completed by %s", async (step, way) => {
    const { shop, state } = await abandoned(step);
    await ways[way]?.(shop);
    const { records } = await shop.orders.list({});
    const id = step === "allocate" ? 2 : 1;
    expect(records).toMatchObject([{ id, user_id: 1, items: cart, total: 30 }]);
    const owner = { username: "ada", seesAll: false };
    const own = new OrdersRepository(testClient(endpoint), shop.tables.orders, () => shop.clock.now, owner);
    expect((await own.list({})).records).toEqual(records);
    expect(await shop.placement.place(1, cart, context)).toEqual({ record: records[0], replayed: true });
    expect(await repairedIds(shop)).toMatchObject([{ unmarked: step === "allocate" ? 1 : 0, mismarked: 0 }]);
    expect(await state()).toEqual([7, 0]);
  });

  it("are completed once by many at the same time, which all get the same order with the key", async () => {
    const { shop, state } = await abandoned();
    expect(await shop.placement.completeAbandoned()).toBe(0);
    shop.waitAMinute();
    const processes = Array.from({ length: 8 }, () => shop.newProcess().placement);
    const [created, completed] = await Promise.all([
      Promise.all(processes.map((each) => each.place(1, cart, context))),
      Promise.all(processes.map((each) => each.completeAbandoned())),
    ]);
    const { records } = await shop.orders.list({});

    expect(records).toMatchObject([{ user_id: 1, items: cart }]);
    for (const each of created) expect(each).toEqual({ record: records[0], replayed: true });
    expect(completed.every((count) => count <= 1)).toBe(true);
    expect(await state()).toEqual([7, 0]);
    expect(await repairedIds(shop)).toMatchObject([{ unmarked: 0, mismarked: 0 }]);
  });

  describe.each<Step>(["allocate", "create"])("of which one was only slow before %s", (step) => {
    it("get the winner's order with the key", async () => {
      const { shop, state } = await withTwoProducts();
      let winner: unknown;
      const slow = shop.newProcess(
        atStep(step, async () => {
          winner ??= (await shop.placement.place(1, cart, context)).record;
          return undefined;
        }),
      );
      expect(await slow.placement.place(1, cart, context)).toEqual({ record: winner, replayed: true });
      expect((await shop.orders.list({})).records).toEqual([winner]);
      expect(await state()).toEqual([7, 0]);
    });

    it("are told that it may have been placed without one, and nothing is deducted again", async () => {
      const { shop, state } = await withTwoProducts();
      let attempts = 0;
      const slow = shop.newProcess(
        atStep(step, async (attempt) => {
          attempts = attempt;
          shop.waitAMinute();
          if (attempt === 1) expect(await shop.placement.completeAbandoned()).toBe(1);
          return undefined;
        }),
      );
      await expect(slow.placement.place(1, cart, undefined)).rejects.toMatchObject(unavailable);
      expect((await shop.orders.list({})).records).toMatchObject([{ user_id: 1 }]);
      expect([attempts, await state()]).toEqual([1, [7, 0]]);
    });
  });

  it("leave the key to another request that has it a day later", async () => {
    const { shop, state } = await abandoned();
    const nextDay = new Date(shop.clock.now.getTime() + 24 * 60 * 60_000);
    const again = { ...context, receivedAt: nextDay, requestHash: "another request" };
    const other = (await shop.placement.place(2, cart, again)).record;
    shop.waitAMinute();
    expect(await shop.placement.completeAbandoned()).toBe(1);

    expect((await shop.orders.list({})).records).toMatchObject([{ user_id: 2 }, { user_id: 1 }]);
    expect(await shop.placement.place(2, cart, again)).toEqual({ record: other, replayed: true });
    expect(await state()).toEqual([4, 0]);
  });

  describe.each(onDefaultEngine(["beside other orders"]))("%s", () => {
    it("are looked for once a minute by each process, while it handles the request", async () => {
      const { shop } = await withTwoProducts();
      const { client, placement } = shop.newProcess();
      const cost = meter(client);
      const place = () => expect(placement.place(1, soldOut, undefined)).rejects.toMatchObject(refused);
      for (const calls of [0, PARTITIONS.length, 0, PARTITIONS.length]) {
        if (calls > 0) shop.waitAMinute();
        expect(await cost(place)).toMatchObject({ calls: 1 + calls, inSequence: 1 });
      }
    });

    it.each<[string, Plan]>([
      ["found", (operation) => (operation === "Query" ? "throttled" : undefined)],
      ["given an id", failing("allocate", "timeout")],
      ["created", failing("create", "conflict")],
    ])("fail none of them if they cannot be %s", async (_, plan) => {
      const { shop, state } = await abandoned();
      const others = shop.newProcess(plan);
      shop.waitAMinute();
      await expect(others.placement.place(1, soldOut, undefined)).rejects.toMatchObject(refused);
      expect(await state()).toEqual([7, 1]);
    });

    /** A shop with some orders that were abandoned. */
    async function withAbandoned(count: number) {
      const { shop } = await withTwoProducts();
      const time = shop.clock.now.toISOString();
      const details = { user_id: 1, items: cart, total: 30, status: "pending" };
      const order = { ...details, created_at: time, updated_at: time };
      const left = Array.from({ length: count }, (_, i) => ({ pk: PARTITIONS[i % 4], sk: i, order }));
      await fill(testClient(endpoint), shop.tables.orders, left);
      shop.waitAMinute();
      return shop;
    }

    it("are completed twenty at a time, and all by the repair", async () => {
      const shop = await withAbandoned(50);
      await expect(shop.placement.place(1, soldOut, undefined)).rejects.toMatchObject(refused);
      expect(await shop.pending()).toBe(30);
      expect(await shop.placement.completeAbandoned()).toBe(30);
      expect((await shop.orders.list({})).records).toHaveLength(50);
    });

    it("are all tried by a repair that fails because of one, and none after that", async () => {
      const shop = await withAbandoned(40);
      const hasFailed = Promise.withResolvers<undefined>();
      const { placement } = shop.newProcess((operation, _, input) => {
        const created = input.TransactItems?.find(({ Delete }) => Delete)?.Delete?.Key;
        if (JSON.stringify(created?.sk) === '{"N":"0"}') return "throttled";
        if (stepOf(operation, input) === "release") hasFailed.resolve(undefined);
        return created && hasFailed.promise;
      });
      await expect(placement.completeAbandoned()).rejects.toMatchObject(unavailable);
      expect(await shop.pending()).toBe(1);
    });
  });
});
