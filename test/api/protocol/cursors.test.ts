import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { followLinks } from "../../support/api/links.ts";
import { api } from "../../support/api/target.ts";
import { withAccount } from "../../support/data/accounts.ts";
import { uniqueWord } from "../../support/data/posts.ts";
import { asAdmin, withProduct } from "../../support/data/products.ts";

const key = { headers: { "x-api-key": inject("target").apiKey ?? "" } };
const user = { name: "Ada", email: "ada@example.com", age: 36 };

interface List {
  /** Adds a record to the list. */
  readonly create: () => Promise<{ readonly id: number }>;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly recordsOf?: (body: never) => readonly { id: number }[];
}

const get = (target: string) => api.get(target);
const inEnvelope = ({ users }: { users: { id: number }[] }) => users;
const createUser = async () => (await api.post("/users", user)).body;

/** Prepares every list that is in id order and has cursors. */
const lists: Readonly<Record<string, () => Promise<List>>> = {
  todos: async () => ({
    target: "/todos",
    create: async () => (await api.post("/todos", { title: "x" })).body,
  }),
  "users with a name": async () => {
    const name = `name ${randomUUID()}`;
    const create = async () => (await api.post("/users", { ...user, name })).body;
    return { target: `/users?name=${encodeURIComponent(name)}`, create };
  },
  "users in an envelope": async () => ({
    target: "/users",
    create: createUser,
    headers: { "api-version": "2.0" },
    recordsOf: inEnvelope,
  }),
  "users found by a text": async () => {
    const name = `name ${randomUUID()}`;
    const create = async () => (await api.post("/users", { ...user, name })).body;
    return { target: `/users/search?q=${encodeURIComponent(name)}`, create };
  },
  "users, version 1": async () => ({
    target: "/api/v1/users",
    create: createUser,
    ...key,
    recordsOf: inEnvelope,
  }),
  "users, version 2": async () => ({
    target: "/api/v2/users",
    create: createUser,
    ...key,
    recordsOf: inEnvelope,
  }),
  "products of a category": async () => {
    const category = `shelf ${randomUUID()}`;
    return {
      target: `/products?category=${encodeURIComponent(category)}`,
      create: () => withProduct({ category }),
    };
  },
  orders: async () => {
    const { id } = await withProduct({ stock: 100 });
    const create = async () => (await api.post("/orders", [{ product_id: id, quantity: 1 }])).body;
    return { target: "/orders", create };
  },
  "orders of a user": async () => {
    const { id } = await withProduct({ stock: 100 });
    const owner = 1 + Math.floor(Math.random() * 1e12);
    const cart = [{ product_id: id, quantity: 1 }];
    const create = async () => (await api.post("/orders", cart, { query: { user_id: owner } })).body;
    return { target: `/orders?user_id=${owner}`, create };
  },
};

/** The records of a list whose body is an array of them. */
const wholeBody = (body: never) => body as { id: number }[];

describe.each(Object.entries(lists))("the list of %s", (_, prepare) => {
  it("is complete across its parts, each record once", async () => {
    const { target, create, headers = {}, recordsOf = wholeBody } = await prepare();
    const created: number[] = [];
    for (let i = 0; i < 5; i += 1) created.push((await create()).id);
    const before = Buffer.from(`after ${(created[0] ?? 0) - 1}`).toString("base64url");
    const first = `${target}${target.includes("?") ? "&" : "?"}limit=2&cursor=${before}`;
    const { records, responses } = await followLinks(
      (next) => api.get(next, { headers }),
      first,
      (body) => recordsOf(body).map(({ id }) => id),
    );

    expect(responses).toBeGreaterThanOrEqual(records.length / 2);
    expect(records).toEqual([...records].sort((a, b) => a - b));
    expect(records).toEqual(expect.arrayContaining(created));
    expect(new Set(records).size).toBe(records.length);
  });

  it.each(["", "5", "YWZ0ZXIgLTE", "YWZ0ZXIgMQ==", "%00", "__proto__"])(
    "rejects the cursor %j",
    async (cursor) => {
      const { target, headers = {} } = await prepare();
      const sent = `${target}${target.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await api.get(sent, { headers });

      if (target.startsWith("/users")) {
        expect(status).toBe(400);
        expect(body).toEqual({ error: expect.stringContaining("cursor") });
      } else {
        expect(status).toBe(422);
        expect(body.details).toMatchObject([{ field: "query.cursor", type: "invalid_format" }]);
      }
    },
  );

  it("is complete without a cursor", async () => {
    const { target, create, headers = {}, recordsOf = wholeBody } = await prepare();
    const { id } = await create();
    const response = await api.get(target, { headers });

    // An index can be a moment behind a write; the test above covers its contents.
    expect(response.headers.get("link")).toBeNull();
    if (!target.includes("user_id"))
      expect(recordsOf(response.body as never).at(-1)?.id).toBeGreaterThanOrEqual(id);
  });
});

describe("lists in another order", () => {
  async function readAll(first: string): Promise<unknown[]> {
    const { records, responses } = await followLinks<unknown>(get, first);
    expect(responses).toBe(Math.ceil(records.length / 2));
    return records;
  }

  it("have cursors: a user's posts and posts found by a text, newest first", async () => {
    const { id } = await createUser();
    const word = uniqueWord();
    const created: unknown[] = [];
    for (let i = 0; i < 5; i += 1)
      created.unshift((await api.post(`/users/${id}/posts`, { title: word, content: "x" })).body);

    expect(await readAll(`/users/${id}/posts?limit=2`)).toEqual(created);
    expect(await readAll(`/posts/search?q=${word}&limit=2`)).toEqual(created);
  });

  it("have cursors: users sorted by a field", async () => {
    const word = uniqueWord();
    const created: { id: number; age: number }[] = [];
    for (let i = 0; i < 5; i += 1)
      created.push((await api.post("/users", { ...user, name: word, age: i % 2 })).body);
    const sorted = [...created].sort((a, b) => a.age - b.age);
    const cursor = Buffer.from("count 0").toString("base64url");

    expect(await readAll(`/users?name=${word}&sort=age&limit=2&cursor=${cursor}`)).toEqual(sorted);
    expect(await readAll(`/users?name=${word}&sort=age&order=desc&limit=2&cursor=${cursor}`)).toEqual(
      sorted.reverse(),
    );
  });

  it("have cursors: accounts by username", async () => {
    const { username } = await withAccount();
    const before = Buffer.from(`username ${username.slice(0, -1)}`).toString("base64url");
    const { headers } = await asAdmin();
    const response = await api.get(`/admin/users?limit=1&cursor=${before}`, { headers });

    expect(response.body).toMatchObject([{ username }]);
    expect(await api.get("/admin/users?cursor=x", { headers })).toMatchObject({ status: 422 });
    const after = Buffer.from(`username ${username}`).toString("base64url");
    const { body } = await api.get(`/admin/users?cursor=${after}`, { headers });
    expect(body.every((other: { username: string }) => other.username > username)).toBe(true);
  });

  it("end before a response is too large", async () => {
    const { id } = await createUser();
    const content = "🧀".repeat(95_000);
    const ids: number[] = [];
    for (let i = 0; i < 18; i += 1)
      ids.unshift(
        (await api.post(`/users/${id}/posts`, { title: "Large", content, tags: [`t${id}`] })).body.id,
      );

    for (const first of [`/users/${id}/posts`, `/posts?tag=t${id}&limit=100`]) {
      const { records, responses } = await followLinks(get, first, (posts: { id: number }[]) =>
        posts.map((post) => post.id),
      );
      expect(records).toEqual(ids);
      expect(responses).toBe(2);
    }
  });
});

it.each([
  ...["/todos?", "/users?", "/users?name=a&", "/users?role=user&", "/users/search?q=a&", "/products?"],
  ...["/orders?", "/orders?user_id=1&", "/orders?status=pending&", "/orders?user_id=1&status=pending&"],
  ...["/posts/search?q=a&", "/posts/search?q=a&fields=title&", "/posts?search=a&", "/posts?tag=a&"],
  ...["/posts?tag=a&order=asc&", "/posts?tag=a&status=draft&", "/posts?status=draft&order=asc&"],
])("%s can continue at any position", async (list) => {
  for (const id of [0, 1, 2, Number.MAX_SAFE_INTEGER - 1]) {
    const cursor = Buffer.from(`after ${id}`).toString("base64url");
    expect((await api.get(`${list}limit=1&cursor=${cursor}`)).status).toBe(200);
  }
});

describe("limit", () => {
  it.each([
    ["0", "too_small"],
    ["1001", "too_big"],
    ["x", "invalid_type"],
  ])("cannot be %s", async (limit, type) => {
    expect(await api.get(`/todos?limit=${limit}`)).toMatchObject({
      status: 422,
      body: { details: [{ field: "query.limit", type }] },
    });
  });

  it.each(["1", "1000"])("can be %s", async (limit) => {
    expect(await api.get(`/todos?limit=${limit}`)).toMatchObject({ status: 200 });
  });

  it("and cursor are ignored on a page of products", async () => {
    await withProduct();
    const { status, body } = await api.get("/products?page=1&size=1&limit=1000");
    expect(status).toBe(200);
    expect(body.items).toHaveLength(1);
  });
});

describe("a cursor of users", () => {
  it.each([
    ["after 1", "page=1"],
    ["after 1", "sort=name"],
    ["count 1", "sort=name&page=1"],
    ["count 1", "order=desc"],
    ["count -1", "sort=name"],
  ])("%j is invalid with %s", async (text, other) => {
    const cursor = Buffer.from(text).toString("base64url");
    expect(await api.get(`/users?cursor=${cursor}&${other}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("cursor") },
    });
  });
});
