import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type ApiClient, createClient } from "../../../client/index.js";
import { catalogProducts } from "../../../lib/repositories/sample-catalog.ts";
import { OrderStatus } from "../../../lib/validators/order.ts";
import { orders } from "../../../local/demo/orders.ts";
import { accounts, DEMO_PASSWORD, todos, users } from "../../../local/demo/people.ts";
import { posts, views } from "../../../local/demo/posts.ts";
import { products } from "../../../local/demo/products.ts";
import { type MemoryRun, runInMemory } from "../../support/programs/run.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const steps: string[] = [];
const shown: string[] = [];
let run: MemoryRun;
let api: ApiClient;
beforeAll(async () => {
  run = await runInMemory({
    withDemo: true,
    onStep: (text) => steps.push(text),
    onResponse: ({ target }) => shown.push(target),
  });
  api = createClient({ baseUrl: run.url });
});
afterAll(() => run.close());

/** Records with the ids 1, 2, 3, … */
function numbered<T extends object>(records: readonly T[]) {
  return records.map((record, index) => ({ id: index + 1, ...record }));
}

describe("the demo", () => {
  it("does not show its own requests", async () => {
    await (await fetch(`${run.url}/health`)).text();

    expect(shown).toEqual(["/health"]);
  });

  it("says that it loads nothing where products were before", async () => {
    const dataDirectory = temporaryDirectory(onTestFinished);
    await (await runInMemory({ dataDirectory })).close();
    const second = await runInMemory({ dataDirectory, withDemo: true });
    await second.close();

    expect(second.lines).toEqual([
      { source: "demo", text: expect.stringMatching(/^SEED=demo loaded nothing: /) },
    ]);
  });

  it("is part of the start", () => {
    const records = [products, users, accounts, orders, posts, todos];

    expect(steps).toContain(`Loaded a demo of ${records.flat().length} records`);
  });

  it("has 60 products in 8 categories, those of the catalog first", async () => {
    const { data = [] } = await api.GET("/products", { params: { query: { in_stock: false } } });
    const added = products.map(([name, description, price, stock, category]) => {
      const ordered = orders
        .flatMap(([, , cart]) => Object.entries(cart))
        .filter(([id]) => products[Number(id) - catalogProducts.length - 1]?.[0] === name)
        .reduce((sum, [, quantity]) => sum + quantity, 0);
      return { name, description, price, stock: stock - ordered, category };
    });

    expect(data).toHaveLength(60);
    expect(new Set(data.map(({ category }) => category)).size).toBe(8);
    expect(data.slice(catalogProducts.length)).toEqual(
      numbered([...catalogProducts, ...added]).slice(catalogProducts.length),
    );
  });

  it("has orders in every status", async () => {
    const { data = [] } = await api.GET("/orders");

    expect(data).toMatchObject(
      numbered(
        orders.map(([user_id, status, cart]) => ({
          user_id,
          status,
          items: Object.entries(cart).map(([id, quantity]) => ({ product_id: Number(id), quantity })),
        })),
      ),
    );
    expect(new Set(data.map(({ status }) => status))).toEqual(new Set(OrderStatus.options));
  });

  it("has 30 posts with tags, some of them read", async () => {
    const { data = [] } = await api.GET("/posts", { params: { query: { limit: 100 } } });
    const byId = data.toSorted((a, b) => a.id - b.id);

    expect(byId).toHaveLength(30);
    expect(byId).toMatchObject(
      numbered(posts.map((post, index) => ({ ...post, view_count: views[index] ?? 0 }))),
    );
    expect(byId.every(({ tags }) => tags.length > 0)).toBe(true);
  });

  it("has users, and accounts of some of them that can sign in", async () => {
    const [username = ""] = accounts[0] ?? [];
    const { data } = await api.POST("/auth/login", { body: { username, password: DEMO_PASSWORD } });
    const me = await createClient({ baseUrl: run.url, token: data?.access_token ?? "" }).GET("/users/me");

    expect((await api.GET("/users")).data).toEqual(
      numbered(users.map(([name, email, age]) => ({ name, email, age }))),
    );
    expect(me.data).toEqual({ username, email: users[0]?.[1], role: "user" });
  });

  it("has todos", async () => {
    expect((await api.GET("/todos")).data).toEqual(
      numbered(todos.map(([title, completed]) => ({ title, completed }))),
    );
  });
});
