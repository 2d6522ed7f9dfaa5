import { GetCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../lib/domain/errors.ts";
import type { OrderFilters } from "../../../../lib/repositories/orders/orders.ts";
import { OrderStatus } from "../../../../lib/validators/order.ts";
import { openShop, type Shop } from "../../../functions/orders/shop.ts";
import { engines, fill, onDefaultEngine } from "../../../support/database/database.ts";
import { injectFaults } from "../../../support/database/faults.ts";
import { scaled } from "../../../support/effort.ts";
import { meter } from "../../../support/programs/usage.ts";

const cart = [{ product_id: 1, quantity: 1 }];
const noon = "2026-03-01T12:00:00.000Z";

describe.each(engines)("orders on $name", ({ endpoint }) => {
  /** A shop with a pending order. */
  async function withOrder(): Promise<Shop> {
    const shop = await openShop(endpoint);
    await shop.offer();
    await shop.placement.place(1, cart, undefined);
    return shop;
  }

  describe("listing", () => {
    it("continues after any part, with any filters", async () => {
      const shop = await openShop(endpoint);
      const { id } = await shop.offer({ stock: 20 });
      for (let i = 0; i < 6; i += 1)
        await shop.placement.place((i % 2) + 1, [{ product_id: id, quantity: 1 }], undefined);
      await shop.orders.changeStatus(3, "paid");

      const filters: OrderFilters[] = [
        {},
        { user_id: 1 },
        { status: "pending" },
        { user_id: 1, status: "paid" },
      ];
      for (const each of filters) {
        const all = (await shop.orders.list(each)).records.map((order) => order.id);
        const seen: number[] = [];
        for (let after: number | undefined = 0; after !== undefined; ) {
          const page = await shop.orders.list(each, { after, limit: 2 });
          expect(page.records.length).toBeLessThanOrEqual(2);
          seen.push(...page.records.map((order) => order.id));
          after = page.next;
        }
        expect(seen).toEqual(all);
      }
    });

    /** Orders 1 to 5; their users are 1, 2, 1, 2, 1, and 2, 3 and 5 are paid. */
    async function filled() {
      const shop = await openShop(endpoint);
      await shop.offer();
      for (const user of [1, 2, 1, 2, 1]) await shop.placement.place(user, cart, undefined);
      for (const id of [5, 3, 2]) await shop.orders.changeStatus(id, "paid");
      return shop;
    }

    it.each<[OrderFilters, number[]]>([
      [{}, [1, 2, 3, 4, 5]],
      [{ user_id: 1 }, [1, 3, 5]],
      [{ user_id: 2 }, [2, 4]],
      [{ user_id: 3 }, []],
      [{ user_id: -1 }, []],
      [{ status: "pending" }, [1, 4]],
      [{ status: "paid" }, [2, 3, 5]],
      [{ status: "cancelled" }, []],
      [{ user_id: 1, status: "paid" }, [3, 5]],
      [{ user_id: 2, status: "pending" }, [4]],
      [{ user_id: 2, status: "shipped" }, []],
    ])("finds the orders that match %j, in id order", async (filters, expected) => {
      const shop = await filled();
      const found = (await shop.orders.list(filters)).records;

      expect(found.map(({ id }) => id)).toEqual(expected);
      for (const order of found) expect(order).toEqual(await shop.orders.get(order.id));
    });

    it("needs one call with a filter", async () => {
      const shop = await filled();
      const { client, orders } = shop.newProcess();
      const measure = meter(client);

      for (const filters of [{ user_id: 1 }, { status: "paid" }, { user_id: 1, status: "paid" }] as const) {
        expect(await measure(() => orders.list(filters))).toMatchObject({ calls: 1, units: 0.5 });
      }
    });

    it("finds nothing without orders", async () => {
      const { orders } = await openShop(endpoint);

      expect((await orders.list({})).records).toEqual([]);
      expect((await orders.list({ user_id: 1 })).records).toEqual([]);
      expect((await orders.list({ status: "paid" })).records).toEqual([]);
    });
  });

  describe("changing a status", () => {
    it("updates the time, and nothing else", async () => {
      const shop = await withOrder();
      const before = await shop.orders.get(1);
      shop.clock.now = new Date("2026-03-01T12:00:01.000Z");
      const changed = await shop.orders.changeStatus(1, "paid");

      expect(changed).toEqual({ ...before, status: "paid", updated_at: "2026-03-01T12:00:01.000Z" });
      expect(await shop.orders.get(1)).toEqual(changed);
    });

    it("reads and changes orders beyond the API's current bounds, and keeps unknown attributes", async () => {
      const shop = await openShop(endpoint);
      const order = {
        user_id: 1,
        items: [{ product_id: 0, quantity: 0 }],
        total: -1,
        status: "pending",
        created_at: noon,
        updated_at: noon,
      };
      const { client } = shop.newProcess();
      await fill(client, shop.tables.orders, [{ pk: "0", sk: 1, ...order, later: true }]);

      expect(await shop.orders.get(1)).toEqual({ id: 1, ...order });
      expect(await shop.orders.changeStatus(1, "paid")).toMatchObject({ status: "paid" });
      const { Item: item } = await client.send(
        new GetCommand({ TableName: shop.tables.orders, Key: { pk: "0", sk: 1 }, ConsistentRead: true }),
      );
      expect(item).toMatchObject({ status: "paid", later: true });
    });

    it("never sets the time back when the clock is behind", async () => {
      const shop = await withOrder();
      shop.clock.now = new Date("2026-03-01T11:55:00.000Z");

      expect(await shop.orders.changeStatus(1, "paid")).toMatchObject({ updated_at: noon });
    });

    it("does not follow a time that is more than five minutes ahead", async () => {
      const shop = await withOrder();
      const now = "2026-03-01T11:54:59.999Z";
      shop.clock.now = new Date(now);

      expect(await shop.orders.changeStatus(1, "paid")).toMatchObject({ updated_at: now });
    });

    it("does not return the stock of a cancelled order", async () => {
      const shop = await withOrder();
      await shop.orders.changeStatus(1, "cancelled");

      expect((await shop.products.get(1))?.stock).toBe(9);
    });

    it.each([0, -1, 2, Number.MAX_SAFE_INTEGER])("finds no order %i", async (id) => {
      const { orders } = await withOrder();

      expect(await orders.get(id)).toBeUndefined();
      expect(await orders.changeStatus(id, "paid")).toBeUndefined();
    });

    it("checks against the status that it replaces", async () => {
      for (const winner of ["cancelled", "delivered"] as const) {
        const shop = await withOrder();
        const { client, orders } = shop.newProcess();
        injectFaults(client, async (operation, attempt) => {
          if (operation === "TransactWriteItems" && attempt === 1) await shop.orders.changeStatus(1, winner);
          return undefined;
        });

        await expect(orders.changeStatus(1, "cancelled")).rejects.toMatchObject({ code: "InvalidArgument" });
        expect(await shop.orders.get(1)).toMatchObject({ status: winner });
      }
    });

    it("ends in one of the concurrently requested statuses, and never leaves cancelled", async () => {
      const status = fc.constantFrom(...OrderStatus.options);
      await fc.assert(
        fc.asyncProperty(fc.array(status, { minLength: 1, maxLength: 6 }), async (wanted) => {
          const shop = await withOrder();
          const results = await Promise.allSettled(
            wanted.map((to) => shop.newProcess().orders.changeStatus(1, to)),
          );
          const done = wanted.filter((_, i) => results[i]?.status === "fulfilled");
          const order = await shop.orders.get(1);

          expect(done).toContain(order?.status);
          expect(done.filter((to) => to === "cancelled").length).toBeLessThanOrEqual(1);
          if (done.includes("cancelled")) expect(order?.status).toBe("cancelled");
          for (const result of results) {
            if (result.status === "rejected")
              expect(result.reason).toMatchObject({ code: "InvalidArgument" });
          }
        }),
        { numRuns: scaled(10) },
      );
    });

    it.each(onDefaultEngine(["conflict", "throttled", "timeout", "lost", "refused"]))(
      "succeeds once when an attempt fails: %s",
      async (fault) => {
        for (const operation of ["GetItem", "TransactWriteItems"]) {
          const shop = await withOrder();
          const { orders } = shop.newProcess((called, attempt) =>
            called === operation && attempt === 1 ? fault : undefined,
          );

          expect(await orders.changeStatus(1, "cancelled")).toMatchObject({ id: 1, status: "cancelled" });
          expect(await shop.orders.get(1)).toMatchObject({ status: "cancelled", updated_at: noon });
        }
      },
    );

    it.each(onDefaultEngine(["conflict", "throttled", "timeout", "refused"]))(
      "changes nothing when DynamoDB keeps failing: %s",
      async (fault) => {
        const shop = await withOrder();
        const { orders } = shop.newProcess((operation) =>
          operation === "TransactWriteItems" ? fault : undefined,
        );

        await expect(orders.changeStatus(1, "paid")).rejects.toBeInstanceOf(ApiError);
        expect(await shop.orders.get(1)).toMatchObject({ status: "pending" });
      },
    );

    it("gives up when others keep changing the order", async () => {
      const shop = await withOrder();
      const { client, orders } = shop.newProcess();
      injectFaults(client, async (operation) => {
        if (operation !== "TransactWriteItems") return undefined;
        shop.clock.now = new Date(shop.clock.now.getTime() + 1);
        await shop.orders.changeStatus(1, "shipped");
        return undefined;
      });

      await expect(orders.changeStatus(1, "paid")).rejects.toMatchObject({ code: "ServiceUnavailable" });
      expect(await shop.orders.get(1)).toMatchObject({ status: "shipped" });
    });
  });
});
