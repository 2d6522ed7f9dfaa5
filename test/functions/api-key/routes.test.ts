import { describe, expect, it } from "vitest";
import { notFoundHandler, routes } from "../../../functions/api-key/routes.ts";
import { cachedSecret } from "../../../lib/auth/secrets.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { UsersRepository } from "../../../lib/repositories/users.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";

/** A client of the function, and its clock. */
function setUp(
  read: () => Promise<string>,
  users: Pick<UsersRepository, "list"> = { list: async () => ({ records: [], next: undefined }) },
) {
  const clock = { now: 1_000_000 };
  const keys = cachedSecret(read, () => clock.now);
  return { clock, api: clientOf(createHandler(routes, () => ({ users, keys }), notFoundHandler)) };
}

const withKey = (key: string) => ({ headers: { "x-api-key": key } });

describe("the static keys", () => {
  it("are all valid", async () => {
    const { api } = setUp(async () => "first,second,third");

    for (const key of ["first", "second", "third"])
      expect((await api.get("/api/protected", withKey(key))).status).toBe(200);
    for (const key of ["fourth", "first,second", "firs", "firsts", "FIRST"])
      expect((await api.get("/api/protected", withKey(key))).status).toBe(401);
  });

  it("are read again for an unknown key", async () => {
    let secret = "old";
    const { api, clock } = setUp(async () => secret);
    await api.get("/api/protected", withKey("old"));
    secret = "new,old";
    clock.now += 60_000;

    expect((await api.get("/api/protected", withKey("new"))).status).toBe(200);
    expect((await api.get("/api/protected", withKey("old"))).status).toBe(200);
  });

  it("are not read without a key, and once for many wrong ones", async () => {
    let reads = 0;
    const { api } = setUp(async () => {
      reads += 1;
      return "key";
    });
    await api.get("/api/protected");
    await api.get("/api/nothing", withKey(""));
    expect(reads).toBe(0);

    for (let i = 0; i < 5; i += 1) await api.get("/api/protected", withKey(`wrong ${i}`));
    expect(reads).toBe(1);
  });

  it("that cannot be read are a 503, not a 401", async () => {
    const { api } = setUp(async () => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    });
    const unavailable = { status: 503, body: { error: expect.any(String) } };

    expect(await api.get("/api/protected", withKey("key"))).toMatchObject(unavailable);
    expect((await api.get("/api/nothing", withKey("key"))).headers.get("retry-after")).toMatch(/\d/);
  });
});

describe.each(engines)("the versions of the users list on $name", ({ endpoint }) => {
  it("list no users and one user", async () => {
    const users = new UsersRepository(testClient(endpoint), await recordTable(endpoint));
    const { api } = setUp(async () => "key", users);
    const list = async (path: string) => (await api.get(path, withKey("key"))).body;

    expect(await list("/api/v1/users")).toEqual({ version: "1.0", users: [] });
    expect(await list("/api/v2/users")).toEqual({ version: "2.0", users: [], metadata: { total: 0 } });

    const user = (await users.create({ name: "Ada", email: "ada@example.com", age: 36 }, undefined)).record;
    expect(await list("/api/v1/users")).toEqual({ version: "1.0", users: [user] });
    expect(await list("/api/v2/users")).toEqual({
      version: "2.0",
      users: [user],
      metadata: { total: 1 },
    });
  });
});
