import { describe, expect, it } from "vitest";
import { definitions, routesByArea } from "../../../functions/definitions.ts";
import { routeLimits } from "../../../infra/gateway/gateway.ts";
import { routeKeys, withoutTrailingSlash } from "../../../infra/gateway/route-keys.ts";
import { resolveStage } from "../../../infra/settings/stages.ts";
import { MAX_BATCH_SIZE } from "../../../lib/repositories/accounts/accounts.ts";
import { createRouter, type SlashMode } from "../../../local/api-gateway/router.ts";
import { FULL_READ_UNITS } from "../../costs/sizes.ts";
import { tableRowsOf } from "../../support/markdown.ts";

/** The routes of docs/figures/calls.md with a request that costs as much as to read everything, in a table of any size. */
function expensiveRoutes(): string[] {
  const rows = tableRowsOf("docs/figures/calls.md").filter(([request = ""]) => /^[A-Z]+ \//.test(request));
  return rows.flatMap(([request = "", ...cells]) => {
    const units = cells.map((cell) => Number(cell.split("/")[2] ?? 0));
    return Math.max(...units) >= FULL_READ_UNITS ? [request.replace(/,.*/, "").replace(/\/$/, "")] : [];
  });
}

const keys = routeKeys(routesByArea).map(({ method, path }) => ({ routeKey: `${method} ${path}` }));
const existing = new Set(keys.map(({ routeKey }) => routeKey));

const required = { origins: "https://www.example.com", alarmEmail: "none", access: "specified" };
const limits = routeLimits(resolveStage("prod", required));

describe("the limits of routes", () => {
  it("include every route that can read or write much, according to docs/figures/calls.md", () => {
    // The page may still have routes of an area that was removed.
    const expensive = new Set(expensiveRoutes().filter((key) => existing.has(key)));
    expect(expensive.size).toBeGreaterThan(0);
    for (const key of expensive) {
      expect(Object.keys(limits), key).toContain(key);
      expect(limits[key.replace("GET", "HEAD")], key).toEqual(limits[key]);
    }
  });

  it("let fewer than 125 accounts be registered in a second", () => {
    const accounts = (key: string, each: number) => each * (limits[key]?.perSecond ?? Infinity);
    expect(accounts("POST /users", 1) + accounts("POST /users/batch", MAX_BATCH_SIZE)).toBeLessThan(125);
  });

  const written = Object.values(definitions).flatMap(({ limits = {} }) =>
    Object.entries(limits).flatMap(([key, limit]) =>
      limit && "write" in limit && limit.write ? [[withoutTrailingSlash(key), limit.write] as const] : [],
    ),
  );
  it.each(written)("of %s follow from the units of tables, up to the stage's own limit", (key, write) => {
    const perSecond = (settings: Record<string, string>) =>
      routeLimits(resolveStage("prod", { ...required, ...settings }))[key];
    expect(perSecond({ maxWriteUnits: `${write * 8}` })).toEqual({ perSecond: 6, burst: 12 });
    expect(perSecond({ maxWriteUnits: "1" })).toEqual({ perSecond: 1, burst: 2 });
    expect(perSecond({ requestsPerSecond: "2" })).toEqual({ perSecond: 2, burst: 4 });
  });

  it.each<SlashMode>(["lenient", "strict"])("are not used up by unknown paths on a %s gateway", (slashes) => {
    const router = createRouter(keys, slashes);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
      for (const path of ["/none", "/none/", "/users/1/none", "/users/1/none/", "/a/b/c/d", "/api/none"])
        expect(limits).not.toHaveProperty([router(method, path)?.route.routeKey ?? ""]);
  });
});
