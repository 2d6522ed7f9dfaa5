import { describe, expect, it } from "vitest";
import { routeKeys } from "../../../infra/gateway/route-keys.ts";
import type { Method } from "../../../lib/http/route.ts";

function declare(...keys: readonly `${Method} /${string}`[]) {
  const parts = keys.map((key) => key.split(" ") as [Method, string]);
  return parts.map(([method, pattern]) => ({ method, pattern }));
}

function keysOf(groups: Parameters<typeof routeKeys>[0]) {
  return new Map(routeKeys(groups).map(({ method, path, area }) => [`${method} ${path}`, area]));
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

describe("the gateway's route keys", () => {
  it("send declared routes to their area, and all other requests to the fallback", () => {
    const keys = keysOf({ notes: declare("GET /notes", "GET /notes/{id}") });
    const declared = ["GET", "HEAD"].flatMap((method) => [`${method} /notes`, `${method} /notes/{id}`]);
    const others = methods.flatMap((method) => [`${method} /`, `${method} /{proxy+}`]);
    expect(Object.fromEntries(keys)).toEqual({
      ...Object.fromEntries(declared.map((key) => [key, "notes"])),
      ...Object.fromEntries(others.map((key) => [key, "fallback"])),
    });
  });

  it.each([
    ["before", { b: declare("POST /x"), a: declare("POST /x/", "POST /y/") }],
    ["after", { a: declare("POST /x/", "POST /y/"), b: declare("POST /x", "GET /y") }],
  ])("never end in a slash, and belong to the area without one, if declared %s it", (_, groups) => {
    const keys = keysOf(groups);
    expect(["POST /x", "POST /y", "POST /x/"].map((key) => keys.get(key))).toEqual(["b", "a", undefined]);
  });

  it("send a prefix and all paths below it to one area, except for declared routes of others", () => {
    const withPrefix = declare("GET /api/x").map((route) => ({ ...route, prefix: "/api" }));
    const keys = keysOf({ a: withPrefix, b: declare("GET /api/y") });
    for (const method of methods.filter((each) => each !== "OPTIONS"))
      expect([keys.get(`${method} /api`), keys.get(`${method} /api/{proxy+}`)]).toEqual(["a", "a"]);
    expect(keys.get("GET /api/y")).toBe("b");
  });

  it("send paths that match another area's placeholder to the fallback", () => {
    const keys = keysOf({
      a: declare("GET /users/{id}", "DELETE /users/{id}", "GET /users/search"),
      b: declare("GET /users/me", "GET /users/{id}/posts"),
    });
    const areas = ["GET", "HEAD", "DELETE"].map((method) => keys.get(`${method} /users/me`));
    expect(areas).toEqual(["b", "b", "fallback"]);
    // These match no placeholder of another area.
    for (const key of ["PUT /users/me", "DELETE /users/search", "DELETE /users/{id}/posts"])
      expect(keys.has(key), key).toBe(false);
  });

  it.each(["GET /x", "POST /x/"] as const)("reject %s in two groups", (key) => {
    expect(() => keysOf({ a: declare(key), b: declare(key) })).toThrow(`${key} is declared by a and by b`);
  });
});
