import { beforeAll, describe, expect, it, vi } from "vitest";
import type { User } from "../../lib/validators/user.ts";
import { followLinks, linksOf, locationOf } from "../support/api/links.ts";
import { api } from "../support/api/target.ts";
import { adminToken, withAccount, withToken } from "../support/data/accounts.ts";
import { UNKNOWN_ID, uniqueWord } from "../support/data/values.ts";

const valid = { name: "Ada", email: "ada@example.com", age: 36 };

async function createUser(fields: Partial<User> = {}): Promise<User> {
  const { status, body } = await api.post("/users", { ...valid, ...fields });
  expect(status).toBe(201);
  return body;
}

const idsOf = (users: readonly User[]) => users.map(({ id }) => id);
const cursorOf = (text: string) => Buffer.from(text).toString("base64url");
const errorOf = (field: string) => ({ error: expect.stringMatching(`^${field}: .`) });

/** Changes that make a valid body invalid, and the field that the error names: the first invalid one. */
const invalidBodies: [string, object, string][] = [
  ["an empty name", { name: "" }, "name"],
  ["a name of white space", { name: " \t\n\u00a0\u3000" }, "name"],
  ["a name of invalid Unicode", { name: "\ud800" }, "name"],
  ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
  ["an e-mail of 321 characters", { email: `${"x".repeat(320)}@` }, "email"],
  ["an e-mail without an @", { email: "ada.example.com" }, "email"],
  ["an e-mail of invalid Unicode", { email: "\udc00@" }, "email"],
  ["an age below 0", { age: -1 }, "age"],
  ["an age with a fraction", { age: 42.5 }, "age"],
  ["an age beyond the safe integers", { age: 9_007_199_254_740_992 }, "age"],
  ["a bad name before a bad e-mail and age", { age: -1, email: "x", name: " " }, "name"],
  ["a bad e-mail before a bad age", { age: -1, email: "x" }, "email"],
];

const incompleteBodies: [string, object, string][] = [
  ["no name", { name: undefined }, "name"],
  ["no e-mail", { email: undefined }, "email"],
  ["no age", { age: undefined }, "age"],
  ["a null name", { name: null }, "name"],
  ["no field", { name: undefined, email: undefined, age: undefined }, "name"],
];

describe("POST /users", () => {
  it("creates a user, returns its location, and GET returns the user in an envelope", async () => {
    const response = await api.post("/users", { ...valid, id: 7, role: "admin", extra: null });
    const { id } = response.body;

    expect(response).toMatchObject({ status: 201, text: JSON.stringify({ id, ...valid }) });
    expect(locationOf(response)).toBe(`/users/${id}`);
    const data = { id, ...valid };
    expect((await api.get(`/users/${id}`)).body).toEqual({ success: true, data, error: null });
  });

  it.each([
    ["an age of 0", { age: 0 }],
    ["the largest safe integer as age", { age: 9_007_199_254_740_991 }],
    ["@ as e-mail", { email: "@" }],
    ["white space around a name", { name: " a " }],
    ["odd characters", { name: "\u0000🧀‮é\u200b", email: "é@🧀" }],
    ["200 characters of name and 320 of e-mail", { name: "🧀".repeat(200), email: `${"é".repeat(319)}@` }],
  ])("accepts and stores %s", async (_, fields) => {
    const user = await createUser(fields);
    expect(user).toMatchObject(fields);
    expect((await api.get(`/users/${user.id}`)).body.data).toEqual(user);
  });

  it("stores 42.0 as 42 and -0 as 0", async () => {
    const stored = async (age: string) =>
      (await api.send("POST", "/users", `{"name":"a","email":"@","age":${age}}`)).body.age;
    expect([await stored("42.0"), await stored("-0")]).toEqual([42, 0]);
  });
});

describe.each(["POST", "PUT", "PATCH"])("%s with an invalid body", (method) => {
  const target = async () => (method === "POST" ? "/users" : `/users/${(await createUser()).id}`);
  const bodies = [...invalidBodies, ...(method === "PATCH" ? [] : incompleteBodies)];

  it.each(bodies)("rejects %s without changes", async (_, changes, field) => {
    const path = await target();
    const before = method === "POST" ? undefined : (await api.get(path)).body;
    const { status, body } = await api.request(method, path, { ...valid, ...changes });
    expect([status, body]).toEqual([400, errorOf(field)]);
    if (before) expect((await api.get(path)).body).toEqual(before);
  });

  // test/lib/http/body.test.ts has all bodies that are no JSON.
  it.each([
    ["no body", undefined],
    ["incomplete JSON", '{"name": '],
    ["an array", "[]"],
    ["a body of invalid UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
  ])("rejects %s", async (_, bytes) => {
    const response = await api.send(method, await target(), bytes);
    expect(response).toMatchObject({ status: 400, body: { error: expect.stringMatching(/./) } });
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

it.each(["PUT", "PATCH"])("%s validates the body before the user and the precondition", async (method) => {
  const invalid = { ...valid, age: -1 };
  const none = await api.request(method, `/users/${UNKNOWN_ID}`, invalid);
  const headers = { "if-match": '"other"' };
  const changed = await api.request(method, `/users/${(await createUser()).id}`, invalid, { headers });
  for (const response of [none, changed])
    expect(response).toMatchObject({ status: 400, body: errorOf("age") });
});

it("the first page of a list or a search has the users with the lowest ids, ten by default", async () => {
  await Promise.all(Array.from({ length: 10 }, () => createUser()));
  // Other specs may change or delete a user between two reads.
  await vi.waitFor(async () => {
    const firstTen = (await api.get("/users")).body.slice(0, 10);
    const pages = await Promise.all([1, 2].map((page) => api.get("/users", { query: { page, limit: 5 } })));

    expect(firstTen).toHaveLength(10);
    expect(pages.flatMap(({ body }) => body)).toEqual(firstTen);
    expect((await api.get("/users?page=1")).body).toEqual(firstTen);
    expect((await api.post("/users/search", { filters: {} })).body).toEqual(firstTen);
  }, 100_000);
});

describe("GET /users", () => {
  it.each(["/users", "/users/", "/users?name="])("lists all users in id order: %s", async (path) => {
    const created = [await createUser(), await createUser()];
    const { status, body, headers } = await api.get(path);

    expect([status, body]).toEqual([200, expect.arrayContaining(created)]);
    expect(idsOf(body)).toEqual(idsOf(body).sort((a, b) => a - b));
    expect(headers.get("vary")).toMatch(/^api-version, api_version(, accept-encoding)?$/);
  });

  describe("with filters, sorting and pages", () => {
    const marker = uniqueWord();
    const all = ["Zoe", "adam", "Ève", "Bob"];
    let zoe: User;

    beforeAll(async () => {
      const create = (name: string, age: number) =>
        createUser({ name: `${name} ${marker}`, email: `${name}@${marker}`, age });
      zoe = await create("Zoe", 30);
      await create("adam", 9);
      await create("Ève", 30);
      await create("Bob", 100);
    });

    type Query = Record<string, string | number | readonly string[]>;
    const withMarker = (query: Query, options = {}) =>
      api.get("/users", { query: { name: marker, ...query }, ...options });

    async function list(query: Query) {
      const { status, body } = await withMarker(query);
      expect(status).toBe(200);
      return body.map(({ name }: User) => name.split(" ")[0]);
    }

    it.each<[Query, string[]]>([
      [{}, all],
      [{ sort: "name" }, ["Bob", "Zoe", "adam", "Ève"]],
      [{ sort: "name", order: "desc" }, ["Ève", "adam", "Zoe", "Bob"]],
      [{ sort: "age" }, ["adam", "Zoe", "Ève", "Bob"]],
      [{ sort: "age", order: "asc" }, ["adam", "Zoe", "Ève", "Bob"]],
      [{ sort: "age", order: "desc" }, ["Bob", "Ève", "Zoe", "adam"]],
      [{ sort: "email", order: "desc" }, all],
      [{ sort: "" }, all],
      [{ order: "desc" }, all],
      [{ sort: ["age", "name"] }, ["Bob", "Zoe", "adam", "Ève"]],
      [{ limit: 1 }, ["Zoe"]],
      [{ limit: 3 }, ["Zoe", "adam", "Ève"]],
      [{ limit: 100 }, all],
      [{ page: 1 }, all],
      [{ page: 2, limit: 3 }, ["Bob"]],
      [{ page: 3, limit: 3 }, []],
      [{ page: 4, limit: 1 }, ["Bob"]],
      [{ page: UNKNOWN_ID, limit: 100 }, []],
      [{ page: 2, limit: 1, sort: "age" }, ["Zoe"]],
      // Users without an account have the role user.
      [{ role: "user" }, all],
      [{ role: "admin" }, []],
      [{ role: "owner" }, []],
      [{ role: "" }, all],
      // A part of a name counts, in any case, and with its accents.
      [{ name: `ZOE ${marker}` }, ["Zoe"]],
      [{ name: `oE ${marker}` }, ["Zoe"]],
      [{ name: `èvE ${marker}` }, ["Ève"]],
      [{ name: `eve ${marker}` }, []],
    ])("with %j lists %j", async (query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    it.each([
      ["one", "name", ["name"]],
      ["several, in their usual order", "age,id", ["id", "age"]],
      ["several, repeated", ["email", "name", "email"], ["name", "email"]],
      ["all", ["id,name", "email,age"], ["id", "name", "email", "age"]],
    ])("returns %s of the fields", async (_, fields, expected) => {
      const { body } = await withMarker({ limit: 1, fields });
      expect(Object.keys(body[0])).toEqual(expected);
      expect(zoe).toMatchObject(body[0]);
    });

    it("uses the envelope that the header selects", async () => {
      const users = [{ age: 9 }, { age: 30 }];
      const query = { sort: "age", limit: 2, fields: "age" };
      const of = async (version: string) =>
        (await withMarker(query, { headers: { "api-version": version } })).body;

      expect(await of("1.0")).toEqual({ version: "1.0", users });
      expect(await of("2.0")).toEqual({ version: "2.0", users, metadata: { total: 2 } });
    });
  });

  it("gives users the role of the account with their e-mail, ignoring case", async () => {
    const { body: admin } = await api.get("/users/me", withToken(await adminToken()));
    const other = await withAccount();
    const name = uniqueWord();
    const boss = await createUser({ name, email: admin.email.toUpperCase() });
    const clerk = await createUser({ name, email: other.email });
    const of = async (role: string, token?: string) =>
      (await api.get("/users", { query: { name, role }, ...(token && withToken(token)) })).body;

    expect(await of("admin", await adminToken())).toEqual([boss]);
    expect(await of("user", await adminToken())).toEqual([clerk]);
    for (const token of [undefined, "invalid", other.token]) {
      expect(await of("admin", token)).toEqual([]);
      expect(await of("user", token)).toEqual([boss, clerk]);
    }
  });

  it.each(["3.0", "1", "v1.0", "1.0,2.0", "", "versioned"])("rejects the version %j", async (version) => {
    const { status, body } = await api.get("/users", { headers: { "api-version": version } });
    expect([status, body]).toEqual([400, { detail: "Unsupported API version" }]);
  });

  it.each([
    ["page", ["0", "one"]],
    ["limit", ["0", "101"]],
    ["order", ["up", "DESC"]],
    ["fields", ["password", "", "id,,name", "__proto__"]],
  ])("rejects each invalid %s", async (name, values) => {
    for (const value of values) {
      const { status, body } = await api.get("/users", { query: { [name]: value } });
      expect([status, body], value).toEqual([400, { error: expect.stringMatching(`^${name}`) }]);
    }
  });

  it("continues lists that are sorted by a field at a cursor", async () => {
    const name = uniqueWord();
    const created: User[] = [];
    for (let i = 0; i < 5; i += 1) created.push(await createUser({ name, age: i % 2 }));
    const sorted = created.toSorted((a, b) => a.age - b.age);
    const first = `/users?name=${name}&sort=age&limit=2&cursor=${cursorOf("count 0")}&order=`;
    const records = async (order: string) => followLinks<unknown>((target) => api.get(target), first + order);

    expect(await records("asc")).toEqual({ records: sorted, responses: 3 });
    expect(await records("desc")).toEqual({ records: sorted.toReversed(), responses: 3 });
  });

  it.each([
    ["after 1", "page=1"],
    ["after 1", "sort=name"],
    ["count 1", "sort=name&page=1"],
    ["count 1", "order=desc"],
    ["count -1", "sort=name"],
  ])("rejects the cursor %j with %s", async (text, other) => {
    expect(await api.get(`/users?cursor=${cursorOf(text)}&${other}`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining("cursor") },
    });
  });
});

it("GET /users/search finds a text in names and e-mails, ignoring case", async () => {
  const marker = uniqueWord();
  const byName = await createUser({ name: `Name ${marker}` });
  const byEmail = await createUser({ email: `NAME ${marker}@example.com` });
  const byBoth = await createUser({ name: `name ${marker}`, email: `name ${marker}@` });
  const search = async (q: string | readonly string[]) =>
    (await api.get("/users/search", { query: { q } })).body;

  expect(await search(`nAmE ${marker}`)).toEqual([byName, byEmail, byBoth]);
  expect(await search(`name ${marker}@`)).toEqual([byEmail, byBoth]);
  expect(await search(["nothing", `name ${marker}@ex`])).toEqual([byEmail]);
  expect(await search(`${marker} nobody`)).toEqual([]);
});

it.each(["", "?q=", "?Q=x", "?q=x&q="])("GET /users/search rejects an empty text: %j", async (query) => {
  expect(await api.get(`/users/search${query}`)).toMatchObject({ status: 400, body: errorOf("q") });
});

describe("POST /users/search", () => {
  const email = `${uniqueWord()}@`;
  let [ann, bob, cid]: User[] = [];

  beforeAll(async () => {
    ann = await createUser({ name: "Ann", email, age: 20 });
    bob = await createUser({ name: "Bob", email, age: 30 });
    cid = await createUser({ name: "ann", email, age: 20 });
  });

  async function search(json: object, filters: object = {}): Promise<User[]> {
    const { status, body } = await api.post("/users/search", { filters: { email, ...filters }, ...json });
    expect(status).toBe(200);
    return body;
  }

  it("returns the users that equal every filter; null is no filter", async () => {
    expect(await search({})).toEqual([ann, bob, cid]);
    expect(await search({}, { age: 20 })).toEqual([ann, cid]);
    expect(await search({}, { age: 20, name: "Ann" })).toEqual([ann]);
    expect(await search({}, { id: bob?.id })).toEqual([bob]);
    expect(await search({}, { id: bob?.id, age: 20 })).toEqual([]);
    expect(await search({}, { id: UNKNOWN_ID })).toEqual([]);
    expect(await search({}, { name: "An" })).toEqual([]);
    const absent = { sort: null, page: null, size: null, limit: 1 };
    expect(await search(absent, { id: null, age: null, name: null })).toEqual([ann, bob, cid]);
  });

  it("sorts by each field in both directions, with pages", async () => {
    for (const field of ["id", "name", "email", "age"]) {
      const sorted = field === "age" ? [ann, cid, bob] : [ann, bob, cid];
      expect(await search({ sort: field })).toEqual(sorted);
      expect(await search({ sort: `-${field}` })).toEqual(sorted.toReversed());
    }
    expect(await search({ size: 2 })).toEqual([ann, bob]);
    expect(await search({ page: 2, size: 2 })).toEqual([cid]);
    expect(await search({ page: 3, size: 2 })).toEqual([]);
    expect(await search({ page: UNKNOWN_ID, size: 100 })).toEqual([]);
  });

  it.each<[string, object, string, string?]>([
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
    ["page 0 in the query", { filters: {} }, "page", "?page=0"],
    ["size 101 in the query", { filters: {} }, "size", "?size=101"],
    ["size x in the query", { filters: {} }, "size", "?size=x"],
  ])("rejects %s", async (_, json, field, query = "") => {
    const response = await api.post(`/users/search${query}`, json);
    expect(response).toMatchObject({ status: 400, body: errorOf(field) });
  });

  it("has links to pages of the same body", async () => {
    const name = uniqueWord();
    const ids: number[] = [];
    for (let age = 0; age < 5; age += 1) ids.push((await createUser({ name, age })).id);
    const body = { filters: { name }, sort: "-age", size: 2 };
    const send = (target: string) => api.post(target, body);

    expect((await followLinks(send, "/users/search", idsOf)).records).toEqual(ids.reverse());
    expect(linksOf(await api.post("/users/search", { ...body, page: 2 }))).toEqual({
      next: "/users/search?page=3&size=2",
      prev: "/users/search?page=1&size=2",
      first: "/users/search?page=1&size=2",
      last: "/users/search?page=3&size=2",
    });
  });
});

it("GET /users has one form in the document with lists=objects", async () => {
  const { body } = await api.get("/openapi.json?lists=objects");
  const { oneOf, type } = body.components.schemas.ListUsersResult;
  expect([oneOf, type]).toEqual([undefined, "object"]);
});
