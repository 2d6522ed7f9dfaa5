import { describe, expect, it } from "vitest";
import { routes } from "../../../functions/products/routes.ts";
import { mapConcurrently } from "../../../lib/dynamodb/query.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { ProductsRepository } from "../../../lib/repositories/products.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { followLinks } from "../../support/api/links.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe.each(engines)("lists that exceed a response on $name", ({ endpoint }) => {
  it("of products link to the rest of a page of any size", async () => {
    const client = testClient(endpoint);
    const products = new ProductsRepository(client, await recordTable(endpoint));
    const accounts = new AccountsRepository(client, await recordTable(endpoint, "S"));
    const tokens = { verify: async () => ({ username: "nobody", version: 0 }) };
    const api = clientOf(createHandler(routes, () => () => ({ products, accounts, tokens })));
    const product = { description: "🫖".repeat(5_000), price: 1, stock: 1, category: "x" };
    await mapConcurrently(numbers(400), (id) => products.create({ ...product, name: String(id) }, undefined));

    for (const target of ["/products?size=1000000", "/products?size=1000000&category=x", "/products"]) {
      const listOf = (body: { items: { id: number }[] } | { id: number }[]) =>
        idsOf(Array.isArray(body) ? body : body.items);
      expect(await followLinks((next) => api.get(next), target, listOf), target).toEqual({
        records: numbers(400),
        responses: 2,
      });
    }
    expect((await api.get("/products?size=1000000")).body).toMatchObject({
      page: 1,
      size: 1_000_000,
      total: 400,
    });
  });
});
