import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { tablesWithIds } from "../../../functions/definitions.ts";
import { repair } from "../../../functions/repair/repair.ts";
import { callDynamodb } from "../../../local/database/dynamodb-call.ts";
import { ApiClient } from "../../support/api/client.ts";
import { inProcess } from "../../support/api/in-process.ts";
import { prepareInProcess } from "../../support/api/in-process-target.ts";
import { locationOf } from "../../support/api/links.ts";
import {
  areas,
  type DynamodbItem,
  type Exchange,
  FROZEN_AT,
  frozenVersions,
  isRemoved,
  readVersion,
  replaceItems,
} from "../../support/data/stored-items.ts";
import { engines, testClient } from "../../support/database/database.ts";
import { synthesizedApp } from "../../support/infra/assembly.ts";

const endpoint = engines[0]?.endpoint ?? "";
const kettle = { name: "Kettle", description: "", price: 1, stock: 1, category: "kitchen" };

const allUpdates: readonly (Exchange & { readonly area: string; readonly id: number })[] = [
  { area: "todos", id: 2, method: "PUT", target: "/todos/2", json: { completed: true } },
  { area: "users", id: 1, method: "PUT", target: "/users/1", json: { name: "Bob", email: "b@c", age: 20 } },
  { area: "users", id: 1, method: "PATCH", target: "/users/1", json: { age: 37 } },
  { area: "products", id: 1, method: "PUT", target: "/products/1", json: kettle, asAdmin: true },
  { area: "products", id: 1, method: "PATCH", target: "/products/1", json: { stock: 3 }, asAdmin: true },
  { area: "orders", id: 1, method: "PATCH", target: "/orders/1/status?status=paid" },
  { area: "posts", id: 1, method: "PATCH", target: "/posts/1", json: { title: "New" } },
  { area: "posts", id: 1, method: "PUT", target: "/posts/1", json: { title: "New", content: "New" } },
];

const updates = allUpdates.filter(({ target }) => !isRemoved(target));

const allDeletions = ["/todos/2", "/users/1", "/products/1", "/posts/1", "/items/1"];
const deletions = allDeletions.filter((path) => !isRemoved(path));

describe.each(frozenVersions())("the tables of version %s", (version) => {
  const { items, exchanges } = readVersion(version);
  let stack: Awaited<ReturnType<typeof prepareInProcess>>;
  let api: ApiClient;
  let asAdmin: { readonly authorization: string };

  const table = (area: string) => stack.target.environment[`${area.toUpperCase()}_TABLE`] ?? "";
  const send = ({ method, target, headers, json, asAdmin: isAdmin }: Exchange) =>
    api.request(method, target, json, { headers: { ...headers, ...(isAdmin && asAdmin) } });
  const logIn = (login: object) => api.post("/auth/login", login);
  const read = async (area: string, { pk, sk }: DynamodbItem) => {
    const { Item } = await callDynamodb({ endpoint }, "GetItem", { TableName: table(area), Key: { pk, sk } });
    return Item as DynamodbItem | undefined;
  };

  beforeAll(async () => {
    // Timers run: only the clock stands still.
    vi.useFakeTimers({ toFake: ["Date"], now: FROZEN_AT });
    stack = await prepareInProcess(endpoint, { withCatalog: false, app: synthesizedApp("dev") });
    api = new ApiClient(inProcess(stack.target));
    asAdmin = { authorization: `Bearer ${(await logIn(stack.target.admin)).body.access_token}` };
  });
  afterAll(async () => {
    vi.useRealTimers();
    await stack.close();
  });
  beforeEach(async () => {
    await Promise.all(areas.map((area) => replaceItems(endpoint, table(area), items[area] ?? {})));
  });
  afterEach(() => vi.setSystemTime(FROZEN_AT));

  it.each(exchanges.reads)("answer $method $target as it did, or with more fields", async (request) => {
    const { status, body } = await send(request);
    expect(status).toBe(200);
    expect(body).toMatchObject(request.body as object);
  });

  it.each(exchanges.creations)("replay $method $target", async (request) => {
    const { status, body, headers } = await send(request);
    expect([status, headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(body).toMatchObject(request.body as object);
  });

  const withIds = exchanges.creations.filter(({ target }) => target !== "/users/");
  it.each(withIds)("continue to count the ids of $target", async ({ target, json }) => {
    const response = await api.post(target, json);
    const area = areas.find((each) => target.startsWith(`/${each}`)) ?? expect.unreachable();
    expect(response.status).toBe(201);
    expect(locationOf(response)).toBe(`/${area}/${Number(items[area]?.counter?.last?.N) + 1}`);
  });

  it.each(updates)("keep unknown attributes on $method $target", async ({ area, id, ...request }) => {
    const stored = items[area]?.[`record ${id}`] ?? expect.unreachable();
    const unknown = { written_by_another_version: { M: { kept: { BOOL: true } } } };
    for (const isConditional of [false, true]) {
      const Item = { ...stored, ...unknown };
      await callDynamodb({ endpoint }, "PutItem", { TableName: table(area), Item });
      const etag = (await api.get(`/${area}/${id}`)).headers.get("etag") ?? "";
      const response = await send({ ...request, headers: isConditional ? { "if-match": etag } : {} });

      expect(response.status).toBe(200);
      const changed = await read(area, stored);
      expect(changed).toMatchObject(unknown);
      expect(Object.keys(changed ?? {})).toEqual(expect.arrayContaining(Object.keys(stored)));
    }
  });

  it.each(deletions)("let %s be deleted", async (path) => {
    const list = path.replace(/.\d$/, "");
    const headers = list === "/products" ? asAdmin : {};
    const count = async () => {
      const { body } = await api.get(list);
      return (body.items ?? body).length;
    };
    const before = await count();
    const etag = (await api.get(path)).headers.get("etag") ?? "";
    expect((await api.delete(path, { headers: { ...headers, "if-match": etag } })).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    expect(await count()).toBe(before - 1);
  });

  it("let their accounts log in, and throttle logins that have failed", async () => {
    for (const login of exchanges.logins) expect((await logIn(login)).status).toBe(200);
    expect((await logIn({ username: exchanges.throttled, password: "-" })).status).toBe(429);
  });

  it("reserve the usernames and e-mail addresses of their accounts", async () => {
    const other = { username: "other", email: "other@example.com", password: "Passw0rd" };
    for (const [field, taken] of Object.entries({ username: "ada", email: "ADA@example.com" })) {
      const { status, body } = await api.post("/users/", { ...other, [field]: taken });
      expect([status, body.field]).toEqual([409, field]);
    }
  });

  it("can be repaired", async () => {
    const stock = async () => (await api.get("/products/1")).body.stock ?? 0;
    const before = await stock();
    vi.setSystemTime(FROZEN_AT.getTime() + 120_000);
    const wait = async () => undefined;
    const { tables, completed } = await repair(testClient(endpoint), tablesWithIds, table, { wait });
    expect(tables.map(({ unmarked, mismarked }) => [unmarked, mismarked])).toEqual(tables.map(() => [0, 0]));
    expect(completed).toBe(isRemoved("/orders") ? 0 : 1);
    expect(await stock()).toBe(before);
  });

  const interrupted = [exchanges.interrupted].filter(({ target }) => !isRemoved(target));
  it.each(interrupted)("complete an interrupted order when it is placed again", async (order) => {
    const { status, body } = await send(order);
    expect([status, body]).toMatchObject([201, { items: order.json, status: "pending" }]);
    expect((await api.get(`/orders/${body.id}`)).body).toEqual(body);
  });
});
