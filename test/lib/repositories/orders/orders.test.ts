import { describe, expect, it } from "vitest";
import { openShop, type Shop } from "../../../functions/orders/shop.ts";
import { engines } from "../../../support/database/database.ts";
import { injectFaults } from "../../../support/database/faults.ts";

const cart = [{ product_id: 1, quantity: 1 }];
const noon = "2026-03-01T12:00:00.000Z";

describe.each(engines)("orders on $name", ({ endpoint }) => {
  async function withOrder(): Promise<Shop> {
    const shop = await openShop(endpoint);
    await shop.offer();
    await shop.placement.place(1, cart, undefined);
    return shop;
  }

  describe("changing a status", () => {
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
  });
});
