import { describe, expect, it, vi } from "vitest";
import { usersRoutes } from "../../../functions/users/routes.ts";
import type { UsersListFormat } from "../../../functions/users/settings.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { COUNTER_KEY } from "../../../lib/records/id-allocation.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { UsersRepository } from "../../../lib/repositories/users.ts";
import { byCount } from "../../../lib/validators/cursor.ts";
import { clientOf } from "../../support/api/invoke.ts";
import { engines, fill, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults, type Plan } from "../../support/database/faults.ts";
import { meter } from "../../support/programs/usage.ts";
import { authorization } from "./authorization.ts";

interface Setup {
  readonly usersList?: UsersListFormat;
  readonly versionHeader?: string;
  readonly plan?: Plan;
  readonly roles?: ReturnType<typeof authorization>["roles"];
}

describe.each(engines)("users on $name", ({ endpoint }) => {
  const ada = { name: "Ada", email: "Ada@Example.com", age: 36 };
  const bob = { name: "Bob", email: "bob@example.com", age: 20 };

  async function setUp(setup: Setup = {}) {
    const { usersList = "records", versionHeader = "api-version", plan, roles } = setup;
    const table = await recordTable(endpoint);
    const client = testClient(endpoint);
    if (plan) injectFaults(client, plan);
    const users = new UsersRepository(client, table);
    const dependencies = { ...authorization([]), ...(roles && { roles }), users, usersList };
    return {
      api: clientOf(createHandler(usersRoutes(versionHeader), () => () => dependencies)),
      users,
      usage: meter(client),
      putMany: (count: number) =>
        fill(client, table, [
          { ...COUNTER_KEY, last: count },
          ...Array.from({ length: count }, (_, i) => ({ ...recordKey(i + 1), ...ada })),
        ]),
    };
  }

  it("are not selected by role with a cursor of another list", async () => {
    const emailsWithRole = vi.fn();
    const { api } = await setUp({ roles: { emailsWithRole } });
    const headers = { authorization: "Bearer admin" };
    const { status } = await api.get(`/users?role=admin&cursor=${byCount(0).cursorAfter(10)}`, { headers });

    expect(status).toBe(400);
    expect(emailsWithRole).not.toHaveBeenCalled();
  });

  describe("if the deployment sends versions by default", () => {
    it.each([
      [undefined, { version: "1.0", users: [{ id: 1, ...ada }] }],
      ["1.0", { version: "1.0", users: [{ id: 1, ...ada }] }],
      ["2.0", { version: "2.0", users: [{ id: 1, ...ada }], metadata: { total: 1 } }],
    ])("the header %s selects the envelope", async (version, expected) => {
      const { api, users } = await setUp({ usersList: "versioned" });
      await users.create(ada, undefined);
      const headers = version === undefined ? {} : { "api-version": version };
      const { status, body } = await api.get("/users", { headers });
      expect([status, body]).toEqual([200, expected]);
    });

    it("the header can have another name", async () => {
      const { api, users } = await setUp({ versionHeader: "x-version" });
      await users.create(ada, undefined);
      const list = (headers: Record<string, string>) => api.get("/users", { headers });
      const named = await list({ "x-version": "2.0", "api-version": "9", api_version: "9" });

      expect(named.body).toMatchObject({ version: "2.0" });
      expect(named.headers.get("vary")).toBe("x-version");
      expect(await list({ "x-version": "9" })).toMatchObject({ status: 400 });
      expect((await list({ "api-version": "2.0" })).body).toEqual([{ id: 1, ...ada }]);
    });

    it("the header can have the specification's name, api_version", async () => {
      const { api } = await setUp();
      const list = (headers: Record<string, string>) => api.get("/users", { headers });

      expect((await list({ api_version: "2.0" })).body.version).toBe("2.0");
      expect((await list({ API_VERSION: "1.0" })).body.version).toBe("1.0");
      expect((await list({ api_version: "9", "api-version": "2.0" })).body.version).toBe("2.0");
      expect(await list({ api_version: "9" })).toMatchObject({ status: 400 });
    });
  });

  const others = ["none", "Bearer user", "Bearer owner", "Basic YTpi", ""];
  it.each(others)("shows %j nothing about administrators, in any list or header", async (credentials) => {
    const headers = credentials === "none" ? {} : { authorization: credentials };
    const responses = async (admins: readonly string[]) => {
      const { api, users } = await setUp({ roles: authorization(admins).roles });
      for (const user of [ada, bob]) await users.create(user, undefined);
      const queries = ["", "&sort=name", "&sort=age&order=desc", "&page=1&limit=1", "&limit=1", "&name=a"];
      const targets = ["admin", "user", "owner"].flatMap((role) =>
        queries.map((query) => `/users?role=${role}${query}`),
      );
      return Promise.all(
        targets.map(async (target) => {
          const response = await api.get(target, { headers: { ...headers, "api-version": "2.0" } });
          const { "x-request-id": _, ...shown } = Object.fromEntries(response.headers);
          return { target, status: response.status, body: response.body, headers: shown };
        }),
      );
    };
    const withAdmin = await responses(["ada@example.com"]);

    expect(withAdmin).toEqual(await responses([]));
    expect(withAdmin.map(({ status }) => status)).not.toContain(401);
    expect(withAdmin.slice(0, 6).map(({ body }) => body.users)).toEqual(Array(6).fill([]));
    expect(withAdmin[6]?.body.metadata).toEqual({ total: 2 });
  });

  it("returns 503 in the area's format if the database throttles", async () => {
    const { api } = await setUp({ plan: (operation) => (operation === "Query" ? "throttled" : undefined) });
    const { status, body, headers } = await api.get("/users");
    expect([status, body]).toEqual([503, { error: expect.any(String) }]);
    expect(headers.get("retry-after")).toBe("1");
  });

  it("reads one user to find it by its id, and little to find the newest", async () => {
    const { api, usage, putMany } = await setUp();
    await putMany(1_001);
    const search = async (json: object, first: number) =>
      usage(async () => expect((await api.post("/users/search", json)).body[0].id).toBe(first));
    expect(await search({ filters: { id: 5, age: 36 } }, 5)).toMatchObject({ calls: 1 });
    expect(await search({ filters: {}, sort: "-id" }, 1_001)).toMatchObject({ calls: 3, units: 3 });
  });
});
