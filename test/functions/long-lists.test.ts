import { describe, expect, it } from "vitest";
import { itemsRoutes } from "../../functions/items/routes.ts";
import { productsRoutes } from "../../functions/products/routes.ts";
import { usersRoutes } from "../../functions/users/routes.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { mapConcurrently } from "../../lib/repositories/dynamodb/concurrency.ts";
import { ItemsRepository } from "../../lib/repositories/items.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import type { ApiResponse } from "../support/conformance.ts";
import { engines, recordTable, testClient } from "../support/database.ts";
import { clientOf } from "../support/invoke.ts";
import { follow } from "../support/links.ts";
import { stackTable } from "../support/stack-table.ts";

/** What Lambda takes as an answer, of which the body is a JSON string. */
const LAMBDA_BYTES = 6_291_556;

const idsOf = (records: readonly { id: number }[]) => records.map(({ id }) => id);
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

function checked(response: ApiResponse): ApiResponse {
  expect(Buffer.byteLength(JSON.stringify(response.text))).toBeLessThan(LAMBDA_BYTES);
  return response;
}

describe.each(engines)("lists beyond what one answer holds on $name", ({ endpoint }) => {
  it("of users end at a record and go on, in any order and on any page", async () => {
    const users = new UsersRepository(testClient(endpoint), await recordTable(endpoint));
    const roles = { emailsWithRole: async () => new Set<string>() };
    const services = () => ({ users, roles, usersList: "records" as const });
    const api = clientOf(createHandler(usersRoutes("api-version"), services));
    for (const id of numbers(18)) {
      const name = `${String.fromCharCode(122 - id)}${"x".repeat(390_000)}`;
      await users.create({ name, email: "a@example.com", age: id % 3 }, undefined);
    }
    const ids = numbers(18);
    const byAge = [0, 1, 2].flatMap((age) => ids.filter((id) => id % 3 === age));

    for (const [target, expected] of [
      ["/users", ids],
      ["/users?name=x", ids],
      ["/users/search?q=x", ids],
      ["/users?sort=name", [...ids].reverse()],
      ["/users?sort=age", byAge],
      ["/users?sort=age&order=desc", [...byAge].reverse()],
      ["/users?limit=100", ids],
      ["/users?sort=age&limit=17", byAge],
    ] as const) {
      const ask = async (next: string) => checked(await api.get(next));
      expect(await follow(ask, target, idsOf), target).toEqual({ seen: expected, answers: 2 });
    }
    const search = { filters: { email: "a@example.com" }, sort: "-age", size: 100 };
    const asking = async (next: string) => checked(await api.post(next, search));
    expect(await follow(asking, "/users/search", idsOf)).toEqual({ seen: [...byAge].reverse(), answers: 2 });
  });

  it("of items lead to the rest of a page", async () => {
    const items = new ItemsRepository(testClient(endpoint), await stackTable(endpoint, "items"));
    const api = clientOf(createHandler(itemsRoutes, () => ({ items, cacheSeconds: 0 })));
    for (const id of numbers(36)) await items.create("{}", `${id} `.padEnd(190_000, "x"), undefined);
    const ask = async (next: string) => checked(await api.get(next));
    const first = await ask("/items?size=36");

    expect(first.body).toMatchObject({ total: 36, page: 1, size: 36, pages: 1 });
    const itemsOf = ({ items: list }: { items: { id: number }[] }) => idsOf(list);
    expect(await follow(ask, "/items?size=36", itemsOf)).toEqual({ seen: numbers(36), answers: 2 });
  });

  it("of products lead to the rest of a page of any size", async () => {
    const client = testClient(endpoint);
    const products = new ProductsRepository(client, await recordTable(endpoint));
    const accounts = new AccountsRepository(client, await recordTable(endpoint, "S"));
    const tokens = { verify: async () => "nobody" };
    const api = clientOf(createHandler(productsRoutes, () => ({ products, accounts, tokens })));
    const product = { description: "🫖".repeat(5_000), price: 1, stock: 1, category: "x" };
    await mapConcurrently(numbers(400), (id) => products.create({ ...product, name: String(id) }, undefined));
    const ask = async (next: string) => checked(await api.get(next));

    for (const [target, answers] of [
      ["/products?size=1000000", 2],
      ["/products?size=1000000&category=x", 2],
      ["/products", 2],
    ] as const) {
      const listOf = (body: { items: { id: number }[] } | { id: number }[]) =>
        idsOf(Array.isArray(body) ? body : body.items);
      expect(await follow(ask, target, listOf), target).toEqual({ seen: numbers(400), answers });
    }
    expect((await ask("/products?size=1000000")).body).toMatchObject({
      page: 1,
      size: 1_000_000,
      total: 400,
    });
  });
});
