import { describe, expect, it } from "vitest";
import { routeKeys } from "../../../infra/gateway/route-keys.ts";
import type { Method } from "../../../lib/http/route.ts";

function declare(...keys: readonly `${Method} /${string}`[]) {
  return keys.map((key) => {
    const [method, pattern] = key.split(" ") as [Method, string];
    return { method, pattern };
  });
}

function keysOf(groups: Parameters<typeof routeKeys>[0]) {
  return new Map(routeKeys(groups).map(({ method, path, area }) => [`${method} ${path}`, area]));
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

describe("the gateway's route keys", () => {
  it("send declared routes to their area, and all other requests to the fallback", () => {
    const keys = keysOf({ notes: declare("GET /notes", "GET /notes/{id}") });

    expect(keys.get("GET /notes")).toBe("notes");
    expect(keys.get("GET /notes/{id}")).toBe("notes");
    for (const method of methods) {
      expect(keys.get(`${method} /`)).toBe("fallback");
      expect(keys.get(`${method} /{proxy+}`)).toBe("fallback");
    }
    expect(keys.get("HEAD /notes")).toBe("notes");
    expect(keys.get("HEAD /notes/{id}")).toBe("notes");
    expect(keys.size).toBe(4 + 2 * methods.length);
  });

  it.each([
    ["before", { b: declare("POST /x"), a: declare("POST /x/", "POST /y/") }],
    ["after", { a: declare("POST /x/", "POST /y/"), b: declare("POST /x", "GET /y") }],
  ])(
    "never end in a slash, and belong to the area of the path without one, if declared %s it",
    (_, groups) => {
      const keys = keysOf(groups);
      expect(keys.get("POST /x")).toBe("b");
      expect(keys.get("POST /y")).toBe("a");
      expect(keys.has("POST /x/")).toBe(false);
    },
  );

  it("send a prefix and all paths below it to one area, except for declared routes of others", () => {
    const keys = keysOf({
      a: declare("GET /api/x").map((route) => ({ ...route, prefix: "/api" })),
      b: declare("GET /api/y"),
    });

    for (const method of methods.filter((each) => each !== "OPTIONS")) {
      expect(keys.get(`${method} /api`)).toBe("a");
      expect(keys.get(`${method} /api/{proxy+}`)).toBe("a");
    }
    expect(keys.get("GET /api/y")).toBe("b");
  });

  it("send paths that match another area's placeholder to the fallback", () => {
    const keys = keysOf({
      a: declare("GET /users/{id}", "DELETE /users/{id}", "GET /users/search"),
      b: declare("GET /users/me", "GET /users/{id}/posts"),
    });

    expect(keys.get("GET /users/me")).toBe("b");
    expect(keys.get("HEAD /users/me")).toBe("b");
    expect(keys.get("DELETE /users/me")).toBe("fallback");
    // These match no placeholder of another area.
    expect(keys.has("PUT /users/me")).toBe(false);
    expect(keys.has("DELETE /users/search")).toBe(false);
    expect(keys.has("DELETE /users/{id}/posts")).toBe(false);
  });

  it.each(["GET /x", "POST /x/"] as const)("reject %s in two groups", (key) => {
    expect(() => keysOf({ a: declare(key), b: declare(key) })).toThrow(`${key} is declared by a and by b`);
  });
});
