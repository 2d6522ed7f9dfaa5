import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import {
  credentialHeaders,
  keyOf,
  type MeasuredSource,
  measuredReferences,
  measuredRequests,
  measurements,
  prepareMeasured,
  routeOf,
} from "../../bench/costs/measurements.ts";
import { type MeteredDatabase, startMetering } from "../../bench/costs/metering.ts";
import { measureWithOwner } from "../../bench/costs/owner-costs.ts";
import type { UnitsByKey } from "../../bench/costs/partition-keys.ts";
import { allRoutes, tableNames } from "../../functions/definitions.ts";
import type { PreparedRequest } from "../../functions/example-requests.ts";
import { tableVariable } from "../../lib/settings.ts";
import { ApiClient } from "../support/api/client.ts";
import type { ApiResponse } from "../support/api/conformance.ts";
import { inProcess } from "../support/api/in-process.ts";
import { prepareInProcess } from "../support/api/in-process-target.ts";
import { testClient } from "../support/database/database.ts";
import { synthesizedApp } from "../support/infra/assembly.ts";
import { type IssuedKeys, issueKeys } from "../support/issued-keys.ts";
import type { Usage } from "../support/programs/usage.ts";
import { fillTables } from "./fill-tables.ts";
import { type JobCosts, measureJobs } from "./jobs.ts";
import { FULL_READ_UNITS, MAX_FILLED, sizes } from "./sizes.ts";

// Capacity figures come from the engine that counts transactions as AWS does.
const endpoint = inject("engines")[0]?.endpoint ?? "";
const client = testClient(endpoint);

const names = [...measuredRequests.keys()];

const limits = Object.values(measurements).flatMap((area) => Object.entries(area.limits ?? {}));

export interface RouteCosts {
  /** Request → its usage at each size; undefined for what reads everything in a table that is not filled. */
  readonly rows: ReadonlyMap<string, (Usage | undefined)[]>;
  /** Route → the usage of its example with the access rule `owner`. */
  readonly withOwner: ReadonlyMap<string, Usage>;
  /** Job → its usage with `MAX_FILLED` records. */
  readonly jobs: ReadonlyMap<string, JobCosts>;
  /** Request → its write units in the largest tables. */
  readonly writeUnits: ReadonlyMap<string, number>;
  /** Request → the units of each partition key in the largest tables, with the names of areas instead of tables. */
  readonly byKey: ReadonlyMap<string, UnitsByKey>;
  /** The requests with a transaction of items that others may use too. */
  readonly transacting: ReadonlySet<string>;
  /** Request → the bytes of its response at each size. */
  readonly responseBytes: ReadonlyMap<string, readonly number[]>;
}

/** Whether a request only reads, and reads every record of a table. */
export function isFullRead(costs: Pick<RouteCosts, "rows" | "writeUnits">, name: string): boolean {
  const usage = costs.rows.get(name)?.findLast((each) => each !== undefined);
  return (usage?.units ?? 0) > FULL_READ_UNITS && costs.writeUnits.get(name) === 0;
}

/** Reads that need no records of their own come first, so that these are in no list, and creations before the rest. */
function orderOf(name: string): number {
  const { method, responses } = routeOf(name);
  if (measuredReferences(name).length > 0) return 2;
  return method === "GET" || (method === "POST" && responses[201] === undefined) ? 0 : 1;
}

const inOrder = names.toSorted((a, b) => orderOf(a) - orderOf(b));

export function routeCosts(): RouteCosts {
  const rows = new Map<string, (Usage | undefined)[]>(names.map((name) => [name, []]));
  const writeUnits = new Map<string, number>();
  const byKey = new Map<string, UnitsByKey>();
  const responseBytes = new Map<string, number[]>();
  const transacting = new Set<string>();
  const withOwner = new Map<string, Usage>();
  const jobs = new Map<string, JobCosts>();
  const costs = { rows, withOwner, jobs, writeUnits, byKey, responseBytes, transacting };
  describe("the cost of the routes", () => {
    let metered: MeteredDatabase;
    let stack: Awaited<ReturnType<typeof prepareInProcess>>;

    beforeAll(async () => {
      // What a function does once a minute is not the cost of a request.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
      metered = await startMetering(endpoint, "here");
      const options = { database: metered.url, withCatalog: false, app: synthesizedApp("dev") };
      stack = await prepareInProcess(endpoint, options);
      const { environment } = stack.target;
      // A busy machine takes longer than Lambda, where the time ends a list early.
      const api = new ApiClient(inProcess({ ...stack.target, remainingMs: 600_000 }));
      let issued: IssuedKeys | undefined;
      const send = async ({ route, target, body, username }: PreparedRequest) => {
        const headers = await credentialHeaders(route, username, issued);
        return api.request(route.method, target, body, { headers });
      };
      const areaOf = (table: string) => tableNames.find((area) => environment[tableVariable(area)] === table);
      const withAreaName = (key: string) => key.replace(/^[^/]*/, (table) => areaOf(table) ?? table);
      let made = 0;
      const sourceOf = (count: number): MeasuredSource => {
        made += 1;
        return { count, unique: `n${made}`, create: async (request) => createdId(await send(request)) };
      };
      const measure = async (name: string, count: number) => {
        const usages = rows.get(name) ?? [];
        if (count > MAX_FILLED && isFullRead(costs, name)) return void usages.push(undefined);
        const request = await prepareMeasured(name, sourceOf(count));
        const { result, calls, inSequence, units, ...metrics } = await metered.usageOf(() => send(request));
        usages.push({ calls, inSequence, units });
        writeUnits.set(name, metrics.writeUnits);
        if (metrics.transacts) transacting.add(name);
        byKey.set(name, new Map([...metrics.byKey].map(([key, each]) => [withAreaName(key), each])));
        responseBytes.set(name, [...(responseBytes.get(name) ?? []), Buffer.byteLength(result.text)]);
      };
      issued = await issueKeys(async (key) => send(await prepareMeasured(key, sourceOf(1))));
      // The first requests load the functions and read secrets.
      for (const name of inOrder.filter((each) => orderOf(each) === 0))
        await send(await prepareMeasured(name, sourceOf(1)));
      for (const count of sizes) {
        await fillTables(client, environment, count);
        for (const name of inOrder) await measure(name, count);
        if (count === MAX_FILLED) await measureJobs(metered, client, environment, jobs);
      }
      await measureWithOwner(metered, stack.target, withOwner);
    }, 1_200_000);
    afterAll(async () => {
      vi.useRealTimers();
      await stack.close();
      await metered.close();
    });

    function cost(name: string): Usage[] {
      const usages = rows.get(name);
      if (usages?.length !== sizes.length) throw new Error(`${name} was not measured`);
      return usages.filter((usage) => usage !== undefined);
    }

    it("is known for every route", () => {
      expect(new Set([...rows.keys()].map(keyOf))).toEqual(new Set(allRoutes.map(({ key }) => key)));
      for (const name of names) expect(cost(name).length).toBeGreaterThan(0);
    });

    it.each(names)("of %s is the same in any table that has enough records, unless it reads all", (name) => {
      const [smallest, ...others] = cost(name);
      if (isFullRead(costs, name)) return;
      // A longer id can take a new record into its next kilobyte, at two units in a transaction.
      const more = Number(writeUnits.get(name)) > 0 ? 2 : 0;
      for (const { calls, inSequence, units } of others) {
        expect([calls, inSequence]).toEqual([others[0]?.calls, others[0]?.inSequence]);
        expect(units - Number(others[0]?.units)).toBeOneOf([0, more]);
      }
      expect(smallest?.units).toBeLessThanOrEqual(others[0]?.units ?? 0);
      expect(smallest?.calls).toBeLessThanOrEqual(others[0]?.calls ?? 0);
    });

    it.each(limits)("of %s is within its area's limit: %j", (name, limit) => {
      const [calls, inSequence, units] = limit ?? [];
      for (const [i, usage] of cost(name).entries()) {
        const most = typeof units === "function" ? units(sizes[i] ?? 0) : units;
        expect(usage.calls).toBeLessThanOrEqual(calls ?? 0);
        expect(usage.inSequence).toBeLessThanOrEqual(inSequence ?? 0);
        expect(usage.units).toBeLessThanOrEqual(most ?? 0);
      }
    });

    const lastPages = names.filter((name) => name.endsWith(", last page of 10"));
    it.each(lastPages)("of %s is that of the first page", (name) => {
      const first = cost(name.replace("last", "first"));
      expect(cost(name)).toEqual(first);
      for (const { inSequence } of first) expect(inSequence).toBe(2);
    });
  });
  return costs;
}

function createdId({ status, headers, text }: ApiResponse): number {
  if (status !== 201) throw new Error(`A creation returned ${status}: ${text}`);
  return Number(headers.get("location")?.split("/").at(-1));
}
