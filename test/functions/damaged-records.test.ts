import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { routes as itemsRoutes } from "../../functions/items/routes.ts";
import { routes as ordersRoutes, stored as storedOrders } from "../../functions/orders/routes.ts";
import { routes as postsRoutes } from "../../functions/posts/routes.ts";
import { routes as productsRoutes, stored as storedProducts } from "../../functions/products/routes.ts";
import { routes as todosRoutes } from "../../functions/todos/routes.ts";
import { usersRoutes } from "../../functions/users/routes.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { bitmapKey, COUNTER_KEY, deletedCountKey } from "../../lib/records/id-allocation.ts";
import { recordKey } from "../../lib/records/id-blocks.ts";
import { repairIds } from "../../lib/records/id-repair.ts";
import type { StoredRecords } from "../../lib/records/record-repair.ts";
import { ItemsRepository, textKey } from "../../lib/repositories/items.ts";
import { OrdersRepository } from "../../lib/repositories/orders/orders.ts";
import { contentKey } from "../../lib/repositories/posts/post-items.ts";
import { PostQueries } from "../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../lib/repositories/posts/posts.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import { TodosRepository } from "../../lib/repositories/todos.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { invoke } from "../support/api/invoke.ts";
import { engines, fill, testClient } from "../support/database/database.ts";
import { stackTable } from "../support/infra/stack-table.ts";

/** The log reads its level when its module is loaded. */
vi.hoisted(() => {
  process.env.AWS_LAMBDA_LOG_LEVEL = "WARN";
});

const time = "2026-03-01T09:00:00.000Z";
const times = { created_at: time, updated_at: time };
const posted = { author_id: 1, title: "t", status: "draft", tags: ["x"], ...times, view_count: 0 };
const records = {
  todos: { title: "t" },
  users: { name: "n", email: "a@example.com", age: 1 },
  products: { name: "n", description: "", price: 1, stock: 1, category: "c" },
  orders: { user_id: 1, items: [{ product_id: 1, quantity: 1 }], total: 1, status: "pending", ...times },
  posts: { ...posted, viewId: "", version: "v" },
  items: { name: '"n"' },
};
type Area = keyof typeof records;

const routes = [
  ...todosRoutes,
  ...usersRoutes("api-version"),
  ...productsRoutes,
  ...ordersRoutes,
  ...postsRoutes,
  ...itemsRoutes,
];

describe.each(engines)("damaged data on $name", ({ endpoint }) => {
  const client = testClient(endpoint);
  const lines: Record<string, unknown>[] = [];

  beforeEach(() => {
    lines.length = 0;
    vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
      lines.push(JSON.parse(String(chunk)));
      return true;
    });
    return () => vi.restoreAllMocks();
  });

  /** Three records of an area, and the parts of those that have any. */
  async function filled(area: Area) {
    const tables = new Map<string, string>();
    const create = async (area: string) => tables.set(area, await stackTable(endpoint, area));
    await Promise.all(Object.keys(records).map(create));
    const tableOf = (area: Area) => tables.get(area) ?? "";
    const now = () => new Date(time);
    const dependencies = {
      todos: new TodosRepository(client, tableOf("todos")),
      users: new UsersRepository(client, tableOf("users")),
      products: new ProductsRepository(client, tableOf("products")),
      orders: new OrdersRepository(client, tableOf("orders"), now),
      posts: new PostsRepository(client, tableOf("posts"), now),
      postQueries: new PostQueries(client, tableOf("posts")),
      items: new ItemsRepository(client, tableOf("items")),
      usersList: "records",
      cacheSeconds: 0,
    };
    const handler = createHandler(routes, () => () => dependencies as never);
    const ids = [1, 2, 3];
    await fill(client, tableOf(area), [
      { ...COUNTER_KEY, last: 3 },
      ...ids.map((id) => ({ ...recordKey(id), ...records[area] })),
      ...ids.map((id) => ({ ...contentKey(id), content: "c", version: "v" })),
      ...ids.map((id) => ({ ...textKey(id), text: '{"name":"n"}' })),
      ...ids.map((id) => ({ pk: "tag#x", sk: id })),
    ]);
    return {
      ...dependencies,
      tableOf,
      async send(method: string, target: string, json?: unknown) {
        const body = json === undefined ? {} : { body: JSON.stringify(json) };
        const { status, text } = await invoke(handler, { method, target, headers: {}, ...body }, "$default");
        return [status, text === "" ? undefined : JSON.parse(text)];
      },
      /** Puts a record with another value of a field, or without the field. */
      damage: (field: string, value?: unknown, id = 2) =>
        fill(client, tableOf(area), [{ ...recordKey(id), ...records[area], [field]: value }]),
      remove: (Key: Record<string, unknown>) =>
        client.send(new DeleteCommand({ TableName: tableOf(area), Key })),
    };
  }

  it.each<readonly [Area, string, unknown, string]>([
    ["todos", "title", 1, "/todos?limit=5"],
    ["users", "age", "old", "/users"],
    ["users", "age", "old", "/users?sort=age"],
    ["users", "age", "old", "/users/search?q=n"],
    ["users", "email", undefined, "/users"],
    ["products", "price", "1", "/products?in_stock=true"],
    ["products", "price", "1", "/products?page=1"],
    ["orders", "items", "none", "/orders?user_id=1"],
    ["posts", "tags", "x", "/posts"],
    ["posts", "title", { t: 1 }, "/posts?search=t"],
    ["posts", "view_count", "x", "/posts?sort_by=view_count"],
    ["posts", "version", undefined, "/posts?tag=x"],
    ["posts", "created_at", 5, "/posts/search?q=c"],
    ["items", "name", 7, "/items"],
    ["items", "name", "no JSON", "/items"],
  ])("%s with a wrong %s (%j) cost %s only themselves", async (area, field, value, list) => {
    const { send, damage } = await filled(area);
    await damage(field, value);
    const [status, body] = await send("GET", list);
    const found: { id: number }[] = body.items ?? body;

    expect([status, found.map(({ id }) => id).sort()]).toEqual([200, [1, 3]]);
    const warning = { level: "WARN", message: "damaged records", damages: 1 };
    expect(lines).toContainEqual(expect.objectContaining(warning));
    expect(JSON.stringify(lines)).toContain(`The stored record 2 is damaged: ${field}`);
  });

  it.each<readonly [Area, string, unknown]>([
    ["todos", "title", 1],
    ["users", "age", "old"],
    ["products", "price", "1"],
    ["orders", "items", "none"],
    ["posts", "tags", "x"],
    ["posts", "version", undefined],
  ])("one of %s with a wrong %s is a 500 that names it, and can be deleted", async (area, field, value) => {
    const { send, damage } = await filled(area);
    await damage(field, value);
    const message = `The stored record 2 is damaged: ${field}`;
    const unreadable = [500, { error: "InternalServerError", message }];

    expect(await send("GET", `/${area}/2`)).toMatchObject(unreadable);
    expect(lines).toContainEqual(expect.objectContaining({ message: "request failed", serverErrors: 1 }));
    if (area === "orders" || area === "products") return;
    expect(await send("DELETE", `/${area}/2`)).toEqual([204, undefined]);
    expect((await send("GET", `/${area}/2`))[0]).toBe(404);
    expect((await send("GET", `/${area}`))[1]).toHaveLength(2);
  });

  it("a damaged user costs the user's posts nothing", async () => {
    const { send, damage } = await filled("users");
    expect((await send("POST", "/users/1/posts", { title: "t", content: "c" }))[0]).toBe(201);
    await damage("age", "old", 1);

    expect(await send("GET", "/users/1/posts")).toMatchObject([200, [{ id: 1 }]]);
    expect(await send("DELETE", "/users/1/posts/1")).toEqual([204, undefined]);
  });

  it("a post without its content is damaged, until it gets a new one or is deleted", async () => {
    const { send, remove, posts } = await filled("posts");
    for (const id of [1, 2, 3]) await remove(contentKey(id));
    const message = "The stored record 1 is damaged: content";
    const isDamaged = [500, { message }];
    await expect(posts.update(1, { content: "new" }, () => expect.unreachable())).rejects.toThrow(message);

    for (const list of ["/posts", "/posts?tag=x", "/posts?sort_by=view_count", "/posts/search?q=t"])
      expect(await send("GET", list)).toEqual([200, []]);
    expect(await send("GET", "/posts/1")).toMatchObject(isDamaged);
    expect(await send("PATCH", "/posts/1", { title: "new" })).toMatchObject(isDamaged);
    expect(await send("PATCH", "/posts/1", { content: "new" })).toMatchObject([200, { content: "new" }]);
    const put = { title: "t", content: "p" };
    expect(await send("PUT", "/posts/2", put)).toMatchObject([200, put]);
    expect(await send("DELETE", "/posts/3")).toEqual([204, undefined]);
    const [, left] = await send("GET", "/posts?order=asc");
    expect(left).toMatchObject([{ content: "new" }, { content: "p" }]);
    expect(await send("GET", "/posts/1")).toMatchObject([200, { view_count: 1 }]);
  });

  it("a post whose content a backup has kept from before has that content, until it gets a new one", async () => {
    const { send, tableOf } = await filled("posts");
    await fill(client, tableOf("posts"), [{ ...contentKey(1), content: "older", version: "older" }]);

    expect(await send("GET", "/posts/1")).toMatchObject([200, { content: "older" }]);
    expect((await send("GET", "/posts?order=asc"))[1]).toMatchObject([{ content: "older" }, {}, {}]);
    expect(await send("PATCH", "/posts/1", { title: "new" })).toMatchObject([200, { content: "older" }]);
    expect(await send("PATCH", "/posts/1", { content: "new" })).toMatchObject([200, { content: "new" }]);
    expect(await send("GET", "/posts/1")).toMatchObject([200, { title: "new", content: "new" }]);
  });

  it.each<[Area, StoredRecords, string, unknown]>([
    ["orders", storedOrders, "items", []],
    ["products", storedProducts, "stock", -1],
  ])("one of %s that the API cannot have created is named by the repair", async (area, stored, ...change) => {
    const { tableOf, damage } = await filled(area);
    await damage(...change);
    const wait = async () => undefined;
    const [found] = await repairIds(client, [{ name: tableOf(area), stored }], { wait });
    expect(found?.damaged).toEqual([`The stored record 2 is damaged: ${change[0]}`]);
  });

  it("an item is deleted without its text, or without its record", async () => {
    const { send, remove, items } = await filled("items");
    await remove(textKey(1));
    await remove(recordKey(2));

    expect((await send("GET", "/items/1"))[0]).toBe(404);
    expect(await items.remove(1, () => expect.unreachable())).toBe(false);
    expect(await send("GET", "/items/2")).toMatchObject([200, { item_id: 2 }]);
    for (const id of [1, 2]) {
      expect(await send("DELETE", `/items/${id}`)).toEqual([204, undefined]);
      expect((await send("DELETE", `/items/${id}`))[0]).toBe(404);
    }
    expect((await items.page(0, 5)).records).toMatchObject([{ id: 3 }]);
  });

  it.each([96, -3, "x"])("%j as the number of deleted ids makes no total negative", async (n) => {
    const { todos, tableOf } = await filled("todos");
    await fill(client, tableOf("todos"), [
      { ...deletedCountKey(0), n },
      { ...bitmapKey(0), w0: -1 },
    ]);

    expect((await todos.page(0, 0)).total).toBeGreaterThanOrEqual(0);
    expect((await todos.page(0, 5)).total).toBeGreaterThanOrEqual(0);
    expect((await todos.list()).records).toHaveLength(3);
  });
});
