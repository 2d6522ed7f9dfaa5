import { beforeAll, describe, expect, it, vi } from "vitest";
import { followLinks, linksOf, locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { adminToken, withAccount, withToken } from "../support/data/accounts.ts";
import { UNKNOWN_ID, uniqueWord } from "../support/data/values.ts";

interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly age: number;
}

async function createUser(fields: Partial<User> = {}): Promise<User> {
  const { status, body } = await api.post("/users", {
    name: "Ada",
    email: "ada@example.com",
    age: 36,
    ...fields,
  });
  expect(status).toBe(201);
  return body;
}

/** A text that no other user's name contains, since ids are not reused. */
async function newMarker(): Promise<string> {
  const { id } = await createUser({ name: "marker" });
  return `<${id}>`;
}

const valid = { name: "Ada", email: "ada@example.com", age: 36 };

/** Invalid bodies, and the field that the error names: the first invalid one. */
const invalidBodies = [
  ["an empty name", { ...valid, name: "" }, "name"],
  ["a name of white space", { ...valid, name: " \t\n\u00a0\u3000" }, "name"],
  ["a name of invalid Unicode", { ...valid, name: "\ud800" }, "name"],
  ["a name of 201 characters", { ...valid, name: "x".repeat(201) }, "name"],
  ["an e-mail of 321 characters", { ...valid, email: `${"x".repeat(320)}@` }, "email"],
  ["an e-mail without an @", { ...valid, email: "ada.example.com" }, "email"],
  ["an e-mail of invalid Unicode", { ...valid, email: "\udc00@" }, "email"],
  ["an age below 0", { ...valid, age: -1 }, "age"],
  ["an age with a fraction", { ...valid, age: 42.5 }, "age"],
  ["an age beyond the safe integers", { ...valid, age: 9_007_199_254_740_992 }, "age"],
  ["a bad name before a bad e-mail and age", { age: -1, email: "x", name: " " }, "name"],
  ["a bad e-mail before a bad age", { ...valid, age: -1, email: "x" }, "email"],
] as const;

const incompleteBodies = [
  ["no name", { email: "a@b", age: 1 }, "name"],
  ["no e-mail", { name: "a", age: 1 }, "email"],
  ["no age", { name: "a", email: "a@b" }, "age"],
  ["a null name", { ...valid, name: null }, "name"],
  ["no field", {}, "name"],
] as const;

const malformedBodies = [
  ["no body", undefined],
  ["an empty body", ""],
  ["incomplete JSON", '{"name": '],
  ["an array", "[]"],
  ["a string", '"x"'],
  ["null", "null"],
  ["a body of invalid UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
] as const;

describe("POST /users", () => {
  it("creates a user and returns its location", async () => {
    const response = await api.post("/users", { ...valid, id: 7, role: "admin", extra: null });
    const { id } = response.body;

    expect(response).toMatchObject({ status: 201, text: JSON.stringify({ id, ...valid }) });
    expect(locationOf(response)).toBe(`/users/${id}`);
    expect((await api.get(`/users/${id}`)).body.data).toEqual(response.body);
  });

  it.each([
    ["an age of 0", { age: 0 }],
    ["the largest safe integer as age", { age: 9_007_199_254_740_991 }],
    ["@ as e-mail", { email: "@" }],
    ["white space around a name", { name: " a " }],
    ["odd characters", { name: "\u0000🧀‮é\u200b", email: "é@🧀" }],
    ["an e-mail that another user has", { email: "ada@example.com" }],
  ])("accepts and stores %s", async (_, fields) => {
    const user = await createUser(fields);
    expect(user).toMatchObject(fields);
    expect((await api.get(`/users/${user.id}`)).body.data).toEqual(user);
  });

  it("stores 42.0 as 42 and -0 as 0", async () => {
    for (const [age, expected] of [
      ["42.0", 42],
      ["-0", 0],
    ] as const) {
      const { status, body } = await api.send("POST", "/users", `{"name":"a","email":"@","age":${age}}`);
      expect([status, body.age]).toEqual([201, expected]);
    }
  });

  it("accepts 200 characters of name and 320 of e-mail", async () => {
    const user = { ...valid, name: "🧀".repeat(200), email: `${"é".repeat(319)}@` };
    expect((await api.post("/users", user)).body).toMatchObject(user);
  });

  it.each([
    ["name", "🧀".repeat(201), "name: Must have at most 200 characters"],
    ["name", "x".repeat(389_000), "name: Must have at most 200 characters"],
    ["email", `${"é".repeat(320)}@`, "email: Must have at most 320 characters"],
  ])("rejects a longer %s", async (field, value, error) => {
    expect(await api.post("/users", { ...valid, [field]: value })).toMatchObject({
      status: 400,
      body: { error },
    });
  });
});

describe.each([
  ["POST", async () => "/users"],
  ["PUT", async () => `/users/${(await createUser()).id}`],
  ["PATCH", async () => `/users/${(await createUser()).id}`],
])("%s with an invalid body", (method, target) => {
  const bodies = [...invalidBodies, ...(method === "PATCH" ? [] : incompleteBodies)];

  it.each(bodies)("rejects %s without changes", async (_, json, field) => {
    const path = await target();
    const before = method === "POST" ? undefined : (await api.get(path)).body;
    const { status, body } = await api.request(method, path, json);
    expect([status, body]).toEqual([400, { error: expect.stringMatching(new RegExp(`^${field}: .`)) }]);
    if (before) expect((await api.get(path)).body).toEqual(before);
  });

  it.each(malformedBodies)("rejects %s", async (_, bytes) => {
    const { status, body } = await api.send(method, await target(), bytes);
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/./) }]);
  });
});

it("GET /users/{id} returns the user in an envelope", async () => {
  const user = await createUser();
  expect(await api.get(`/users/${user.id}`)).toMatchObject({
    status: 200,
    body: { success: true, data: user, error: null },
  });
});

it("PUT /users/{id} replaces every field", async () => {
  const { id } = await createUser();
  const { status, body } = await api.put(`/users/${id}`, { name: "Bob", email: "b@c", age: 0, id: 1 });
  expect([status, body]).toEqual([200, { id, name: "Bob", email: "b@c", age: 0 }]);
  expect((await api.get(`/users/${id}`)).body.data).toEqual(body);
});

it.each([
  ["only the name", { name: "Bob" }, { name: "Bob" }],
  ["only the e-mail", { email: "b@c" }, { email: "b@c" }],
  ["only the age", { age: 0 }, { age: 0 }],
  ["everything", { name: "Bob", email: "b@c", age: 1, id: 1 }, { name: "Bob", email: "b@c", age: 1 }],
  ["nothing if fields are null", { name: null, email: null, age: null }, {}],
  ["nothing for an empty object", {}, {}],
  ["nothing for unknown fields", { role: "admin", ["__proto__"]: 1 }, {}],
])("PATCH /users/{id} changes %s", async (_, json, changed) => {
  const user = await createUser();
  const { status, body } = await api.patch(`/users/${user.id}`, json);
  expect([status, body]).toEqual([200, { ...user, ...changed }]);
  expect((await api.get(`/users/${user.id}`)).body.data).toEqual(body);
});

it.each(["PUT", "PATCH"])("%s validates the body before it looks up the user", async (method) => {
  expect(await api.request(method, `/users/${UNKNOWN_ID}`, { ...valid, age: -1 })).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^age: /) },
  });
});

describe("GET /users", () => {
  it("lists users in id order, with or without a trailing slash", async () => {
    const first = await createUser();
    const second = await createUser();
    for (const path of ["/users", "/users/"]) {
      const { status, body, headers } = await api.get(path);
      const ids = body.map(({ id }: User) => id);

      expect([status, body]).toEqual([200, expect.arrayContaining([first, second])]);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      expect(headers.get("vary")).toMatch(/^api-version, api_version(, accept-encoding)?$/);
    }
  });

  it("has pages without gaps or overlaps", async () => {
    await Promise.all([createUser(), createUser(), createUser(), createUser()]);
    // Other specs may change or delete a user between two reads.
    await vi.waitFor(async () => {
      const firstFour = (await api.get("/users")).body.slice(0, 4);
      const pages = await Promise.all([1, 2].map((page) => api.get("/users", { query: { page, limit: 2 } })));

      expect(firstFour).toHaveLength(4);
      expect(pages.flatMap(({ body }) => body)).toEqual(firstFour);
    }, 100_000);
  });

  describe("with filters, sorting and pages", () => {
    let marker: string;
    let users: Record<"zoe" | "adam" | "eve" | "bob", User>;

    beforeAll(async () => {
      marker = await newMarker();
      const create = (name: string, age: number) =>
        createUser({ name: `${name} ${marker}`, email: `${name}@${marker}`, age });
      users = {
        zoe: await create("Zoe", 30),
        adam: await create("adam", 9),
        eve: await create("Ève", 30),
        bob: await create("Bob", 100),
      };
    });

    async function list(query: Record<string, string | number | readonly string[]>) {
      const { status, body } = await api.get("/users", { query: { name: marker, ...query } });
      expect(status).toBe(200);
      return body.map(({ name }: User) => name.split(" ")[0]);
    }

    it.each([
      ["nothing", {}, ["Zoe", "adam", "Ève", "Bob"]],
      ["name", { sort: "name" }, ["Bob", "Zoe", "adam", "Ève"]],
      ["name, descending", { sort: "name", order: "desc" }, ["Ève", "adam", "Zoe", "Bob"]],
      ["age, then id", { sort: "age" }, ["adam", "Zoe", "Ève", "Bob"]],
      ["age, ascending", { sort: "age", order: "asc" }, ["adam", "Zoe", "Ève", "Bob"]],
      ["age, descending", { sort: "age", order: "desc" }, ["Bob", "Ève", "Zoe", "adam"]],
      ["any other field", { sort: "email", order: "desc" }, ["Zoe", "adam", "Ève", "Bob"]],
      ["an empty field", { sort: "" }, ["Zoe", "adam", "Ève", "Bob"]],
      ["order without sort", { order: "desc" }, ["Zoe", "adam", "Ève", "Bob"]],
      ["the last of several", { sort: ["age", "name"] }, ["Bob", "Zoe", "adam", "Ève"]],
    ])("sorts by %s", async (_, query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    it.each([
      ["only a limit", { limit: 3 }, ["Zoe", "adam", "Ève"]],
      ["only a page", { page: 1 }, ["Zoe", "adam", "Ève", "Bob"]],
      ["the next page", { page: 2, limit: 3 }, ["Bob"]],
      ["a page beyond the end", { page: 3, limit: 3 }, []],
      ["the last possible page", { page: UNKNOWN_ID, limit: 100 }, []],
      ["one at a time, sorted", { page: 2, limit: 1, sort: "age" }, ["Zoe"]],
      ["the smallest page", { limit: 1 }, ["Zoe"]],
      ["the largest page", { limit: 100 }, ["Zoe", "adam", "Ève", "Bob"]],
    ])("paginates: %s", async (_, query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    it.each(["ZOE", "zoe", "Zoe", "oE <"])("finds a name by %j", async (part) => {
      expect((await api.get("/users", { query: { name: part } })).body.map(({ id }: User) => id)).toContain(
        users.zoe.id,
      );
    });

    it("ignores case but not accents", async () => {
      const names = async (part: string) =>
        (await api.get("/users", { query: { name: `${part} ${marker}` } })).body;
      expect(await names("èvE")).toEqual([users.eve]);
      expect(await names("eve")).toEqual([]);
    });

    it("filters before it paginates", async () => {
      expect(await list({ limit: 1, page: 4 })).toEqual(["Bob"]);
    });

    it("gives users without an account the role user", async () => {
      expect(await list({ role: "user" })).toEqual(["Zoe", "adam", "Ève", "Bob"]);
      expect(await list({ role: "admin" })).toEqual([]);
      expect(await list({ role: "owner" })).toEqual([]);
      expect(await list({ role: "" })).toHaveLength(4);
    });

    it("gives users the role of the account with their e-mail, ignoring case", async () => {
      const { body: admin } = await api.get("/users/me", withToken(await adminToken()));
      const other = await withAccount();
      const boss = await createUser({ name: `${marker} boss`, email: admin.email.toUpperCase() });
      const clerk = await createUser({ name: `${marker} clerk`, email: other.email });
      const of = async (role: string, token?: string) =>
        (await api.get("/users", { query: { name: marker, role }, ...(token && withToken(token)) })).body;

      expect(await of("admin", await adminToken())).toEqual([boss]);
      expect(await of("user", await adminToken())).toEqual([...Object.values(users), clerk]);
      for (const token of [undefined, "invalid", other.token]) {
        expect(await of("admin", token)).toEqual([]);
        expect(await of("user", token)).toEqual([...Object.values(users), boss, clerk]);
      }
      await Promise.all([api.delete(`/users/${boss.id}`), api.delete(`/users/${clerk.id}`)]);
    });

    it.each([
      ["one", "name", ["name"]],
      ["several, in their usual order", "age,id", ["id", "age"]],
      ["several, repeated", ["email", "name", "email"], ["name", "email"]],
      ["all", ["id,name", "email,age"], ["id", "name", "email", "age"]],
    ])("returns %s of the fields", async (_, fields, expected) => {
      const { body } = await api.get("/users", { query: { name: marker, limit: 1, fields } });
      expect(Object.keys(body[0])).toEqual(expected);
      expect(users.zoe).toMatchObject(body[0]);
    });

    it("uses the envelope that the header selects", async () => {
      const query = { name: marker, sort: "age", limit: 2, fields: "age" };
      const ages = [{ age: 9 }, { age: 30 }];
      const of = async (version: string) =>
        (await api.get("/users", { query, headers: { "api-version": version } })).body;

      expect(await of("1.0")).toEqual({ version: "1.0", users: ages });
      expect(await of("2.0")).toEqual({ version: "2.0", users: ages, metadata: { total: 2 } });
    });
  });

  it.each(["3.0", "1", "2", "v1.0", "1.0,2.0", "", "versioned"])(
    "rejects the version %j",
    async (version) => {
      const { status, body } = await api.get("/users", { headers: { "api-version": version } });
      expect([status, body]).toEqual([400, { detail: "Unsupported API version" }]);
    },
  );

  it.each([
    ["page", "0"],
    ["page", "one"],
    ["limit", "0"],
    ["limit", "101"],
    ["order", "up"],
    ["order", "DESC"],
    ["fields", "password"],
    ["fields", ""],
    ["fields", "id,,name"],
    ["fields", "__proto__"],
  ])("rejects %s=%s", async (name, value) => {
    const { status, body } = await api.get("/users", { query: { [name]: value } });
    expect([status, body]).toEqual([400, { error: expect.stringMatching(new RegExp(`^${name}`)) }]);
  });
});

describe("cursors of GET /users", () => {
  it("continue lists that are sorted by a field", async () => {
    const name = uniqueWord();
    const created: User[] = [];
    for (let i = 0; i < 5; i += 1) created.push(await createUser({ name, age: i % 2 }));
    const sorted = created.toSorted((a, b) => a.age - b.age);
    const cursor = Buffer.from("count 0").toString("base64url");

    for (const [order, expected] of [
      ["asc", sorted],
      ["desc", sorted.toReversed()],
    ]) {
      const first = `/users?name=${name}&sort=age&order=${order}&limit=2&cursor=${cursor}`;
      const { records, responses } = await followLinks<unknown>((target) => api.get(target), first);
      expect([records, responses]).toEqual([expected, 3]);
    }
  });

  it.each([
    ["after 1", "page=1"],
    ["after 1", "sort=name"],
    ["count 1", "sort=name&page=1"],
    ["count 1", "order=desc"],
    ["count -1", "sort=name"],
  ])("with %j are invalid with %s", async (text, other) => {
    const cursor = Buffer.from(text).toString("base64url");
    expect(await api.get(`/users?cursor=${cursor}&${other}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("cursor") },
    });
  });
});

it.each(["name", "role"])("an empty filter by %s does not apply", async (filter) => {
  await createUser();
  expect((await api.get(`/users?limit=1&${filter}=`)).body).toEqual([expect.any(Object)]);
});

describe("GET /users/search", () => {
  it("finds a text in names and e-mails, ignoring case", async () => {
    const marker = await newMarker();
    const byName = await createUser({ name: `Name ${marker}` });
    const byEmail = await createUser({ email: `NAME ${marker}@example.com` });
    const byBoth = await createUser({ name: `name ${marker}`, email: `name ${marker}@` });
    const search = (q: string | readonly string[]) => api.get("/users/search", { query: { q } });

    expect(await search(`nAmE ${marker}`)).toMatchObject({ status: 200, body: [byName, byEmail, byBoth] });
    expect(await search(`name ${marker}@`)).toMatchObject({ body: [byEmail, byBoth] });
    expect(await search(["nothing", `name ${marker}@ex`])).toMatchObject({ body: [byEmail] });
    expect(await search(`${marker} nobody`)).toMatchObject({ status: 200, body: [] });
  });

  it.each(["", "?q=", "?Q=x", "?q=x&q="])("rejects an empty search: %j", async (query) => {
    const { status, body } = await api.get(`/users/search${query}`);
    expect([status, body]).toEqual([400, { error: expect.stringMatching(/^q: ./) }]);
  });
});

describe("POST /users/search", () => {
  let marker: string;
  let ann: User;
  let bob: User;
  let cid: User;

  beforeAll(async () => {
    marker = await newMarker();
    ann = await createUser({ name: "Ann", email: `${marker}@`, age: 20 });
    bob = await createUser({ name: "Bob", email: `${marker}@`, age: 30 });
    cid = await createUser({ name: "ann", email: `${marker}@`, age: 20 });
  });

  async function search(json: Record<string, unknown>, filters: Record<string, unknown> = {}) {
    const { status, body } = await api.post("/users/search", {
      filters: { email: `${marker}@`, ...filters },
      ...json,
    });
    expect(status).toBe(200);
    return body.map(({ id }: User) => id);
  }

  it("returns the users that equal every filter", async () => {
    expect(await search({})).toEqual([ann.id, bob.id, cid.id]);
    expect(await search({}, { age: 20 })).toEqual([ann.id, cid.id]);
    expect(await search({}, { age: 20, name: "Ann" })).toEqual([ann.id]);
    expect(await search({}, { id: bob.id })).toEqual([bob.id]);
    expect(await search({}, { id: bob.id, age: 20 })).toEqual([]);
    expect(await search({}, { id: UNKNOWN_ID })).toEqual([]);
    expect(await search({}, { name: "An" })).toEqual([]);
  });

  it.each(["id", "name", "email", "age"] as const)("sorts by %s in both directions", async (field) => {
    const ascending = {
      id: [ann, bob, cid],
      name: [ann, bob, cid],
      email: [ann, bob, cid],
      age: [ann, cid, bob],
    };
    const ids = ascending[field].map(({ id }) => id);

    expect(await search({ sort: field })).toEqual(ids);
    expect(await search({ sort: `-${field}` })).toEqual([...ids].reverse());
  });

  it("paginates", async () => {
    expect(await search({ size: 2 })).toEqual([ann.id, bob.id]);
    expect(await search({ page: 2, size: 2 })).toEqual([cid.id]);
    expect(await search({ page: 3, size: 2 })).toEqual([]);
    expect(await search({ page: UNKNOWN_ID, size: 100 })).toEqual([]);
  });

  it("treats null as absent and ignores unknown fields", async () => {
    expect(
      await search({ sort: null, page: null, size: null, limit: 1 }, { id: null, age: null, name: null }),
    ).toEqual([ann.id, bob.id, cid.id]);
  });

  it("returns the first ten users by default", async () => {
    await Promise.all(Array.from({ length: 10 }, () => createUser()));
    // Other specs may change or delete a user between two reads.
    await vi.waitFor(async () => {
      const { status, body } = await api.post("/users/search", { filters: {} });

      expect(status).toBe(200);
      expect(body).toHaveLength(10);
      expect(body).toEqual((await api.get("/users", { query: { page: 1 } })).body);
    }, 100_000);
  });

  it("can return the last users first", async () => {
    const { id } = await createUser();
    const { body } = await api.post("/users/search", { filters: {}, sort: "-id", size: 1 });
    expect(body[0].id).toBeGreaterThanOrEqual(id);
  });

  it.each([
    ["no filters", {}, "filters"],
    ["an unknown field", { filters: { password: "x" } }, "filters"],
    ["a field named __proto__", JSON.parse('{"filters":{"__proto__":{"age":1}}}'), "filters"],
    ["an id with a fraction", { filters: { id: 1.5 } }, "filters.id"],
    ["an unknown sort", { filters: {}, sort: "password" }, "sort"],
    ["an empty sort", { filters: {}, sort: "" }, "sort"],
    ["a sort with two minus signs", { filters: {}, sort: "--age" }, "sort"],
    ["page 0", { filters: {}, page: 0 }, "page"],
    ["size 0", { filters: {}, size: 0 }, "size"],
    ["size 101", { filters: {}, size: 101 }, "size"],
  ])("rejects %s", async (_, json, field) => {
    const { status, body } = await api.post("/users/search", json);
    expect(status).toBe(400);
    expect(body.error).toMatch(new RegExp(`^${field}: .`));
  });
});

it.each([
  ["POST", "/users/1", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"],
  ["PATCH", "/users", "GET, HEAD, OPTIONS, POST"],
  ["PUT", "/users/", "GET, HEAD, OPTIONS, POST"],
  ["DELETE", "/users/search", "GET, HEAD, OPTIONS, POST"],
])("returns 405 for %s %s with the allowed methods", async (method, path, allow) => {
  const response = await api.request(method, path);
  expect(response).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
  expect(response.headers.get("allow")).toBe(allow);
});

it("GET /users has one form in the document with lists=objects", async () => {
  const { body } = await api.get("/openapi.json?lists=objects");
  const { oneOf, type } = body.components.schemas.ListUsersResult;
  expect([oneOf, type]).toEqual([undefined, "object"]);
});

it("a failed precondition is checked after validation", async () => {
  const { body } = await api.post("/users", { name: "Ada", email: "ada@example.com", age: 36 });
  const headers = { "if-match": '"other"' };
  expect(await api.put(`/users/${body.id}`, { name: 5 }, { headers })).toMatchObject({ status: 400 });
});

describe("the links of POST /users/search", () => {
  it("lead through its pages with the same body", async () => {
    const name = uniqueWord();
    const ids: number[] = [];
    for (let age = 0; age < 5; age += 1) ids.push((await createUser({ name, age })).id);
    const body = { filters: { name }, sort: "-age", size: 2 };
    const search = (target: string) => api.post(target, body);

    expect(
      (await followLinks(search, "/users/search", (found: readonly User[]) => found.map(({ id }) => id)))
        .records,
    ).toEqual(ids.reverse());
    expect(linksOf(await api.post("/users/search", { ...body, page: 2 }))).toEqual({
      next: "/users/search?page=3&size=2",
      prev: "/users/search?page=1&size=2",
      first: "/users/search?page=1&size=2",
      last: "/users/search?page=3&size=2",
    });
  });

  it.each(["page=0", "size=101", "size=x"])("reject %s", async (query) => {
    expect(await api.post(`/users/search?${query}`, { filters: {} })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(query.split("=")[0] ?? "") },
    });
  });
});
