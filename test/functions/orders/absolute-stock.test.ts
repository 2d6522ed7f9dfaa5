import { setTimeout as delay } from "node:timers/promises";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { routes } from "../../../functions/products/routes.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { engines, testClient } from "../../support/database/database.ts";
import { scaled } from "../../support/effort.ts";
import { openShop } from "./shop.ts";

const ROUNDS = scaled(16);
const CARTS = 16;
const CALL_MS = 15;
const NEW_STOCK = 500;

/** Clients whose calls take a while, and take effect one after the other, so that the order of writes is known. */
function inOrder(endpoint: string) {
  let last: Promise<unknown> = Promise.resolve();
  return (beforeWrite: () => Promise<unknown>, onWrite: () => void): DynamoDBDocumentClient => {
    const client = testClient(endpoint);
    client.middlewareStack.add(
      (next, { commandName = "" }) =>
        async (args) => {
          const isWrite = /^(Update|Transact)/.test(commandName);
          if (isWrite) await beforeWrite();
          await delay(CALL_MS);
          const turn = last.then(async () => {
            const result = await next(args);
            if (isWrite) onWrite();
            return result;
          });
          last = turn.catch(() => undefined);
          return turn;
        },
      { name: "inOrder", step: "deserialize", priority: "high" },
    );
    return client;
  };
}

describe.each(engines)("a stock that is set while it is ordered on $name", ({ endpoint }) => {
  /** Products A and B, and an administrator over HTTP, who sets a stock when so many were ordered. */
  async function openRound(orderedBefore: number) {
    const shop = await openShop(endpoint);
    const [a, b] = [await shop.offer({ stock: 100 }), await shop.offer({ stock: 3 })];
    const newClient = inOrder(endpoint);
    const writes: ("set" | "order")[] = [];
    const [enough, isSet] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const note = (write: "set" | "order") => {
      writes.push(write);
      if (write === "set") isSet.resolve();
      if (writes.length >= orderedBefore) enough.resolve();
    };
    if (orderedBefore === 0) enough.resolve();
    const administrator = newClient(
      () => enough.promise,
      () => note("set"),
    );
    const products = new ProductsRepository(administrator, shop.tables.products);
    const accounts = {
      getProfile: async () => ({ username: "ada", email: "", role: "admin", tokenVersion: 0 }),
    };
    const tokens = { verify: async () => ({ username: "ada", version: 0 }) };
    const api = clientOf(createHandler(routes, () => () => ({ products, accounts, tokens })));
    let begun = 0;
    const order = async () => {
      // The first write of an order deducts its stock.
      let isDeducted = false;
      const mayWrite = async () => {
        begun += 1;
        return begun <= orderedBefore || isDeducted || isSet.promise;
      };
      const client = newClient(mayWrite, () => {
        if (!isDeducted) note("order");
        isDeducted = true;
      });
      const cart = [a, b].map(({ id }, i) => ({ product_id: id, quantity: 2 - i }));
      return shop.placementWith(client).place(1, cart, undefined);
    };
    const set = async (method: string, isConditional: boolean): Promise<void> => {
      const { body, headers } = await api.get(`/products/${a.id}`);
      const { id: _, ...fields } = { ...body, stock: NEW_STOCK };
      const { status } = await api.request(
        method,
        `/products/${a.id}`,
        method === "PUT" ? fields : { stock: NEW_STOCK },
        {
          headers: {
            authorization: "Bearer -",
            ...(isConditional && { "if-match": headers.get("etag") ?? "" }),
          },
        },
      );
      if (isConditional && status === 412) return set(method, isConditional);
      expect(status).toBe(200);
    };
    return { order, set, writes, stocks: async () => [await shop.stockOf(a), await shop.stockOf(b)] };
  }

  it.each([
    ["PUT", false],
    ["PATCH", false],
    ["PUT", true],
    ["PATCH", true],
  ])("by %s, with If-Match: %s, is that less what was ordered since", async (method, isConditional) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { order, set, writes, stocks } = await openRound(round % 4);
      const results = await Promise.allSettled([
        set(method, isConditional),
        ...Array.from({ length: CARTS }, order),
      ]);

      const failed = results.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []));
      expect(failed).toEqual(Array(CARTS - 3).fill("InvalidArgument"));
      const orderedSince = writes.length - 1 - writes.indexOf("set");
      expect(writes.toSorted()).toEqual(["order", "order", "order", "set"]);
      expect(await stocks()).toEqual([NEW_STOCK - 2 * orderedSince, 0]);
    }
  });
});
