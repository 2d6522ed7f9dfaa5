import { describe, expect, it } from "vitest";
import { type ApiKeyDependencies, apiKeyNotFound, apiKeyRoutes } from "../../../functions/api-key/routes.ts";
import { cachedSecret } from "../../../lib/auth/secrets.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { UsersRepository } from "../../../lib/repositories/users.ts";
import { engines, recordTable, testClient } from "../../support/database.ts";
import { clientOf } from "../../support/invoke.ts";

/** The function with a secret that can be changed, and a clock. */
function setUp(
  read: () => Promise<string>,
  users: ApiKeyDependencies["users"] = { list: async () => ({ records: [], hasMore: false }) },
) {
  const clock = { now: 1_000_000 };
  const keys = cachedSecret(read, () => clock.now);
  return { clock, api: clientOf(createHandler(apiKeyRoutes, () => ({ users, keys }), apiKeyNotFound)) };
}

const sending = (key: string) => ({ headers: { "x-api-key": key } });

describe("the static keys", () => {
  it("are all valid", async () => {
    const { api } = setUp(async () => "first,second,third");

    for (const key of ["first", "second", "third"])
      expect((await api.get("/api/protected", sending(key))).status).toBe(200);
    for (const key of ["fourth", "first,second", "firs", "firsts", "FIRST"])
      expect((await api.get("/api/protected", sending(key))).status).toBe(401);
  });

  it("may be read anew for a key that is not known", async () => {
    let secret = "old";
    const { api, clock } = setUp(async () => secret);
    await api.get("/api/protected", sending("old"));
    secret = "new,old";
    clock.now += 60_000;

    expect((await api.get("/api/protected", sending("new"))).status).toBe(200);
    expect((await api.get("/api/protected", sending("old"))).status).toBe(200);
  });

  it("are not read for a request without a key, nor for each wrong one", async () => {
    let reads = 0;
    const { api } = setUp(async () => {
      reads += 1;
      return "key";
    });
    await api.get("/api/protected");
    await api.get("/api/nothing", sending(""));
    expect(reads).toBe(0);

    for (let i = 0; i < 5; i += 1) await api.get("/api/protected", sending(`wrong ${i}`));
    expect(reads).toBe(1);
  });

  it("cannot be told while their store is away: 503, not 401", async () => {
    const { api } = setUp(async () => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    });
    const away = { status: 503, body: { error: expect.any(String) } };

    expect(await api.get("/api/protected", sending("key"))).toMatchObject(away);
    expect((await api.get("/api/nothing", sending("key"))).headers.get("retry-after")).toMatch(/\d/);
  });
});

describe.each(engines)("the versions of the users list on $name", ({ endpoint }) => {
  it("list no users and one user", async () => {
    const users = new UsersRepository(testClient(endpoint), await recordTable(endpoint));
    const { api } = setUp(async () => "key", users);
    const version = async (path: string) => (await api.get(path, sending("key"))).body;

    expect(await version("/api/v1/users")).toEqual({ version: "1.0", users: [] });
    expect(await version("/api/v2/users")).toEqual({ version: "2.0", users: [], metadata: { total: 0 } });

    const user = (await users.create({ name: "Ada", email: "ada@example.com", age: 36 }, undefined)).record;
    expect(await version("/api/v1/users")).toEqual({ version: "1.0", users: [user] });
    expect(await version("/api/v2/users")).toEqual({
      version: "2.0",
      users: [user],
      metadata: { total: 1 },
    });
  });
});
