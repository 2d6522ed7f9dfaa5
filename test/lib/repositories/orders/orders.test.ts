import { GetCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OrderFilters } from "../../../../lib/repositories/orders/orders.ts";
import { OrderStatus } from "../../../../lib/validators/order.ts";
import { openShop, type Shop } from "../../../functions/orders/shop.ts";
import { engines, fill } from "../../../support/database/database.ts";
import { injectFaults } from "../../../support/database/faults.ts";
import { scaled } from "../../../support/effort.ts";

const cart = [{ product_id: 1, quantity: 1 }];
const noon = "2026-03-01T12:00:00.000Z";

describe.each(engines)("orders on $name", ({ endpoint }) => {
  async function withOrder(): Promise<Shop> {
    const shop = await openShop(endpoint);
    await shop.offer();
    await shop.placement.place(1, cart, undefined);
    return shop;
  }

  describe("listing", () => {
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
    ])("finds the orders that match %j, in id order and in parts", async (filters, expected) => {
      const { orders } = await filled();
      const found = (await orders.list(filters)).records;

      expect(found.map(({ id }) => id)).toEqual(expected);
      for (const order of found) expect(order).toEqual(await orders.get(order.id));
      const parts: unknown[] = [];
      for (let after: number | undefined = 0; after !== undefined; ) {
        const part = await orders.list(filters, { after, limit: 2 });
        expect(part.records.length).toBeLessThanOrEqual(2);
        parts.push(...part.records);
        after = part.next;
      }
      expect(parts).toEqual(found);
    });
  });

  describe("changing a status", () => {
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
