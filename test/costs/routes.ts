import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { allRoutes, tableNames } from "../../functions/definitions.ts";
import { tableVariable } from "../../lib/settings.ts";
import { ApiClient } from "../support/api/client.ts";
import type { ApiResponse } from "../support/api/conformance.ts";
import { inProcess } from "../support/api/in-process.ts";
import { prepareInProcess } from "../support/api/in-process-target.ts";
import { testClient } from "../support/database/database.ts";
import { type MeteredDatabase, startMetering } from "../support/database/metering.ts";
import type { UnitsByKey } from "../support/database/partition-keys.ts";
import { synthesizedApp } from "../support/infra/assembly.ts";
import type { Usage } from "../support/programs/usage.ts";
import { accountBytes, fillTables } from "./fill-tables.ts";
import { requests } from "./requests.ts";
import { MAX_FILLED, sizes } from "./sizes.ts";

// Capacity figures come from the engine that counts transactions as AWS does.
const endpoint = inject("engines")[0]?.endpoint ?? "";
const client = testClient(endpoint);

/** The cost of one response per kilobyte read or written. */
const READ = 4 * 1024;

/** A request that reads more units than this reads everything. */
export const FULL_READ_UNITS = 100;

/** The measurements. */
export interface RouteCosts {
  /** Request → its usage at each size; undefined for what reads everything in a table that is not filled. */
  readonly rows: ReadonlyMap<string, (Usage | undefined)[]>;
  /** Request → its write units in the largest tables. */
  readonly writeUnits: ReadonlyMap<string, number>;
  /** Request → the units of each partition key in the largest tables, with the names of areas instead of tables. */
  readonly byKey: ReadonlyMap<string, UnitsByKey>;
}

/** Replaces the name of the table in a key, such as `<table>/1`, by that of its area. */
function areaNames(environment: Readonly<Record<string, string>>): (key: string) => string {
  const areas = new Map(tableNames.map((area) => [environment[tableVariable(area)], area]));
  return (key) => {
    const [table = "", ...rest] = key.split("/");
    return [areas.get(table) ?? table, ...rest].join("/");
  };
}

/** Tests of the cost of every route. */
export function routeCosts(): RouteCosts {
  const rows = new Map<string, (Usage | undefined)[]>();
  const writes = new Map<string, number>();
  const keys = new Map<string, UnitsByKey>();
  describe("the cost of the routes", () => {
    const responseSizes = new Map<string, number[]>();
    /** The size of all accounts. */
    const storedAccounts: number[] = [];
    let metered: MeteredDatabase;
    let stack: Awaited<ReturnType<typeof prepareInProcess>>;

    beforeAll(async () => {
      metered = await startMetering(endpoint, "here");
      stack = await prepareInProcess(endpoint, {
        database: metered.url,
        withCatalog: false,
        app: synthesizedApp("dev"),
      });
      const { target } = stack;
      // A busy machine takes longer than Lambda, where the time ends a list early.
      const api = new ApiClient(inProcess({ ...target, remainingMs: 600_000 }));
      let made = 0;
      const withAreaName = areaNames(target.environment);
      for (const count of sizes) {
        await fillTables(client, target.environment, count);
        const { body } = await api.post("/auth/login", undefined, { query: target.admin });
        const setting = {
          api,
          count,
          credentials: target.admin,
          admin: { headers: { authorization: `Bearer ${body.access_token}` } },
          key: { headers: { "x-api-key": target.apiKey } },
          fresh: () => {
            made += 1;
            return made;
          },
        };
        await api.get("/api/protected", setting.key);
        for (const [name, ask] of Object.entries(requests)) {
          if (name === "GET /admin/users")
            storedAccounts.push(await accountBytes(client, String(target.environment.ACCOUNTS_TABLE)));
          await measure(name, count, () => ask(setting), withAreaName);
        }
      }
    }, 1_200_000);

    /** Whether a request, at the size before, was a read of so many records that a larger table says nothing new. */
    function readsAll(name: string): boolean {
      return (rows.get(name)?.at(-1)?.units ?? 0) > FULL_READ_UNITS && writes.get(name) === 0;
    }

    function addRow(name: string, usage: Usage | undefined): void {
      rows.set(name, [...(rows.get(name) ?? []), usage]);
    }

    async function measure(
      name: string,
      count: number,
      send: () => Promise<ApiResponse>,
      withAreaName: (key: string) => string,
    ): Promise<void> {
      if (count > MAX_FILLED && readsAll(name)) {
        addRow(name, undefined);
        return;
      }
      const { writeUnits, byKey, result, ...usage } = await metered.usageOf(send);
      addRow(name, usage);
      writes.set(name, writeUnits);
      keys.set(name, new Map([...byKey].map(([key, units]) => [withAreaName(key), units])));
      responseSizes.set(name, [...(responseSizes.get(name) ?? []), Buffer.byteLength(result.text)]);
    }

    afterAll(async () => {
      await stack.close();
      await metered.close();
    });

    function cost(name: string): Usage[] {
      const usages = rows.get(name);
      if (usages?.length !== sizes.length) throw new Error(`${name} was not measured`);
      return usages.filter((usage) => usage !== undefined);
    }

    it("is known for every route", () => {
      const routes = allRoutes.map(({ method, pattern }) => `${method} ${pattern}`);
      const measured = new Set(Object.keys(requests).map((name) => name.replace(/, .*/, "")));
      expect([...measured].sort()).toEqual(routes.sort());
    });

    it.each([
      ["GET /todos/{id}", 1, 1, 1],
      ["GET /users/{id}", 1, 1, 1],
      ["GET /products/{product_id}", 1, 1, 1],
      ["GET /orders/{order_id}", 1, 1, 1],
      ["GET /items/{item_id}", 1, 1, 1],
      ["POST /todos", 2, 2, 2],
      ["POST /users", 2, 2, 2],
      ["PUT /todos/{id}", 1, 1, 1],
      ["PATCH /users/{id}", 1, 1, 1],
      ["DELETE /todos/{id}", 1, 1, 6],
      ["POST /auth/login", 1, 1, 4],
      ["GET /users/me", 1, 1, 1],
      ["POST /orders, unknown product", 1, 1, 1],
    ])(
      "of %s is the same in any table: %i calls, %i in sequence, %d units",
      (name, calls, inSequence, units) => {
        for (const usage of cost(name)) expect(usage).toEqual({ calls, inSequence, units });
      },
    );

    it.each([
      ["GET /posts/{post_id}", 0.5],
      ["GET /posts/{post_id}, 100,000 characters", 12.5],
    ])("of %s is one round trip: the view's one write unit, and %i for the content", (name, reading) => {
      for (const usage of cost(name)) expect(usage).toEqual({ calls: 2, inSequence: 1, units: 1 + reading });
    });

    it.each([
      "GET /api/protected",
      "GET /health",
      "GET /",
      "GET /docs",
      "GET /docs/assets/{file}",
      "GET /openapi.json",
      "GET /error",
      "GET /errors/{status}",
    ])("of %s is nothing: it has no database", (name) => {
      for (const usage of cost(name)) expect(usage).toEqual({ calls: 0, inSequence: 0, units: 0 });
    });

    it.each([
      ["POST /orders, 1 product", 1],
      ["POST /orders, 5 products", 5],
    ])("of %s is at most 4 calls, 9 units and 3 for each product, in any table", (name, products) => {
      const [first, ...others] = cost(name);
      expect(first?.calls).toBeLessThanOrEqual(4);
      expect(first?.inSequence).toBeLessThanOrEqual(4);
      expect(first?.units).toBeLessThanOrEqual(9 + 3 * products);
      for (const usage of others) expect(usage).toEqual(first);
    });

    it.each(["users", "products", "posts", "items"])(
      "of a page of %s does not grow with the page's number",
      (area) => {
        expect(cost(`GET /${area}, last page of 10`)).toEqual(cost(`GET /${area}, first page of 10`));
        for (const { inSequence } of cost(`GET /${area}, first page of 10`)) expect(inSequence).toBe(2);
      },
    );

    it.each([
      "GET /orders, 10 of a user",
      "GET /orders, 10 of a status",
      "GET /posts, 10 of a tag",
      "GET /users/{id}/posts, 9 posts",
    ])("of %s is for what it returns alone", (name) => {
      const [first, ...others] = cost(name);
      for (const usage of others) expect(usage).toEqual(first);
    });

    it.each([
      ["GET /users, 10 of a name", 4],
      ["GET /posts, 10 of a status", 20],
      ["GET /products, 10 of the catalog", 4],
    ])("of %s, which most records match, is at most %i units and 5 calls in any table", (name, most) => {
      for (const { units, calls } of cost(name)) {
        expect(units).toBeLessThanOrEqual(most);
        expect(calls).toBeLessThanOrEqual(5);
      }
    });

    it("of a sorted page is at most a read of all summaries, and of the page", () => {
      const statistics = cost("GET /posts/stats/summary");
      for (const [i, { units, inSequence }] of cost("GET /posts, sorted by views").entries()) {
        expect(units).toBeLessThanOrEqual(Number(statistics[i]?.units) + 20);
        expect(inSequence).toBeLessThanOrEqual(3);
      }
    });

    it.each(["GET /todos", "GET /users", "GET /products", "GET /orders", "GET /api/v2/users"])(
      "of all that %s returns is at most the units of the bytes, read in parallel",
      (name) => {
        for (const [i, { calls, inSequence, units }] of cost(name).entries()) {
          const bytes = responseSizes.get(name)?.[i] ?? 0;
          // Each query rounds up, and the allocated ids are read too.
          expect(units).toBeLessThanOrEqual(bytes / READ + calls);
          expect(inSequence).toBeLessThanOrEqual(2);
        }
      },
    );

    it("of GET /admin/users is the units of the stored bytes: passwords' hashes are read along", () => {
      for (const [i, { calls, inSequence, units }] of cost("GET /admin/users").entries()) {
        const stored = storedAccounts[i] ?? 0;
        // The caller's own account comes first, and each partition's query rounds up.
        expect(units).toBeLessThanOrEqual(stored / READ + calls);
        expect(stored).toBeGreaterThan(responseSizes.get("GET /admin/users")?.[i] ?? 0);
        expect(inSequence).toBe(2);
      }
    });
  });
  return { rows, writeUnits: writes, byKey: keys };
}
