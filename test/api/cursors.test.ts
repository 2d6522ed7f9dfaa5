import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { withAccount } from "../support/accounts.ts";
import { follow } from "../support/links.ts";
import { uniqueWord } from "../support/posts.ts";
import { asAdmin, withProduct } from "../support/products.ts";
import { api } from "../support/target.ts";

const key = { headers: { "x-api-key": inject("target").apiKey ?? "" } };
const user = { name: "Ada", email: "ada@example.com", age: 36 };

interface List {
  /** Creates one more record of it. */
  readonly create: () => Promise<{ readonly id: number }>;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly recordsOf?: (body: never) => readonly { id: number }[];
}

const ask = (target: string) => api.get(target);
const inEnvelope = ({ users }: { users: { id: number }[] }) => users;
const createUser = async () => (await api.post("/users", user)).body;

/** Every list in id order that has no pages, as a function that makes a place of its own in it. */
const lists: Readonly<Record<string, () => Promise<List>>> = {
  todos: async () => ({
    target: "/todos",
    create: async () => (await api.post("/todos", { title: "x" })).body,
  }),
  "users of a name": async () => {
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
  "users that are searched": async () => {
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

describe.each(Object.entries(lists))("the list of %s", (_, open) => {
  it("is read part by part, and all of it once", async () => {
    const {
      target,
      create,
      headers = {},
      recordsOf = (body: never) => body as { id: number }[],
    } = await open();
    const created: number[] = [];
    for (let i = 0; i < 5; i += 1) created.push((await create()).id);
    const before = Buffer.from(`after ${(created[0] ?? 0) - 1}`).toString("base64url");
    const first = `${target}${target.includes("?") ? "&" : "?"}limit=2&cursor=${before}`;
    const { seen, answers } = await follow(
      (next) => api.get(next, { headers }),
      first,
      (body) => recordsOf(body).map(({ id }) => id),
    );

    expect(answers).toBeGreaterThanOrEqual(seen.length / 2);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen).toEqual(expect.arrayContaining(created));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each(["", "5", "YWZ0ZXIgLTE", "%00", "__proto__"])("knows no cursor %j", async (cursor) => {
    const { target, headers = {} } = await open();
    const sent = `${target}${target.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await api.get(sent, { headers });

    if (target.startsWith("/users")) {
      expect(status).toBe(400);
      expect(body).toEqual({ error: expect.stringContaining("cursor") });
    } else {
      expect(status).toBe(422);
      expect(body.details).toMatchObject([{ field: "query.cursor", type: "invalid_format" }]);
    }
  });

  it("without a cursor has no end before its end", async () => {
    const {
      target,
      create,
      headers = {},
      recordsOf = (body: never) => body as { id: number }[],
    } = await open();
    const { id } = await create();
    const response = await api.get(target, { headers });

    // An index follows a write after a moment; what it serves is looked for above.
    expect(response.headers.get("link")).toBeNull();
    if (!target.includes("user_id"))
      expect(recordsOf(response.body as never).at(-1)?.id).toBeGreaterThanOrEqual(id);
  });
});

describe("lists in another order", () => {
  async function walk(first: string): Promise<unknown[]> {
    const { seen, answers } = await follow<unknown>(ask, first);
    expect(answers).toBe(Math.ceil(seen.length / 2));
    return seen;
  }

  it("go on as well: a user's posts and posts that are searched, newest first", async () => {
    const { id } = await createUser();
    const word = uniqueWord();
    const created: unknown[] = [];
    for (let i = 0; i < 5; i += 1)
      created.unshift((await api.post(`/users/${id}/posts`, { title: word, content: "x" })).body);

    expect(await walk(`/users/${id}/posts?limit=2`)).toEqual(created);
    expect(await walk(`/posts/search?q=${word}&limit=2`)).toEqual(created);
  });

  it("go on as well: users in the order of a field", async () => {
    const word = uniqueWord();
    const created: { id: number; age: number }[] = [];
    for (let i = 0; i < 5; i += 1)
      created.push((await api.post("/users", { ...user, name: word, age: i % 2 })).body);
    const sorted = [...created].sort((a, b) => a.age - b.age);
    const cursor = Buffer.from("past 0").toString("base64url");

    expect(await walk(`/users?name=${word}&sort=age&limit=2&cursor=${cursor}`)).toEqual(sorted);
    expect(await walk(`/users?name=${word}&sort=age&order=desc&limit=2&cursor=${cursor}`)).toEqual(
      sorted.reverse(),
    );
  });

  it("go on as well: accounts by username", async () => {
    const { username } = await withAccount();
    const before = Buffer.from(`behind ${username.slice(0, -1)}`).toString("base64url");
    const { headers } = await asAdmin();
    const response = await api.get(`/admin/users?limit=1&cursor=${before}`, { headers });

    expect(response.body).toMatchObject([{ username }]);
    expect(await api.get("/admin/users?cursor=x", { headers })).toMatchObject({ status: 422 });
    const after = Buffer.from(`behind ${username}`).toString("base64url");
    const { body } = await api.get(`/admin/users?cursor=${after}`, { headers });
    expect(body.every((other: { username: string }) => other.username > username)).toBe(true);
  });

  it("end before an answer is too large", async () => {
    const { id } = await createUser();
    const content = "x".repeat(380_000);
    const ids: number[] = [];
    for (let i = 0; i < 18; i += 1)
      ids.unshift(
        (await api.post(`/users/${id}/posts`, { title: "Large", content, tags: [`t${id}`] })).body.id,
      );

    for (const first of [`/users/${id}/posts`, `/posts?tag=t${id}&limit=100`]) {
      const { seen, answers } = await follow(ask, first, (posts: { id: number }[]) =>
        posts.map((post) => post.id),
      );
      expect(seen).toEqual(ids);
      expect(answers).toBe(2);
    }
  });
});

describe("limit", () => {
  it.each([
    ["0", "too_small"],
    ["1001", "too_big"],
    ["x", "invalid_type"],
  ])("is not %s", async (limit, type) => {
    expect(await api.get(`/todos?limit=${limit}`)).toMatchObject({
      status: 422,
      body: { details: [{ field: "query.limit", type }] },
    });
  });

  it.each(["1", "1000"])("may be %s", async (limit) => {
    expect(await api.get(`/todos?limit=${limit}`)).toMatchObject({ status: 200 });
  });

  it("and cursor mean nothing to products with pages", async () => {
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
    ["past 1", "sort=name&page=1"],
    ["past 1", "order=desc"],
    ["past -1", "sort=name"],
  ])("%j is none of a list with %s", async (text, other) => {
    const cursor = Buffer.from(text).toString("base64url");
    expect(await api.get(`/users?cursor=${cursor}&${other}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("cursor") },
    });
  });
});
