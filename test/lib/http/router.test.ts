import { describe, expect, it } from "vitest";
import { createRouter } from "../../../lib/http/router.ts";
import { emptyRoute } from "../../support/api/test-route.ts";

const routes = (
  [
    "GET /users",
    "POST /users",
    "POST /users/",
    "GET /users/{id}",
    "GET /users/me",
    "GET /{any}/me",
    "DELETE /users/{id}",
    "GET /users/{id}/posts/{post_id}",
    "POST /notes/",
    "GET /",
  ] as const
).map(emptyRoute);

function find(method: string, path: string): unknown {
  const match = createRouter(routes)(method, path);
  return match.route ? [`${match.route.method} ${match.route.pattern}`, match.path] : match.allowedMethods;
}

describe("the router", () => {
  it.each([
    ["GET", "/", ["GET /", {}]],
    ["GET", "/users/me", ["GET /users/me", {}]],
    ["GET", "/others/me", ["GET /{any}/me", { any: "others" }]],
    ["GET", "/users/7", ["GET /users/{id}", { id: "7" }]],
    ["GET", "/users/a b/posts/é", ["GET /users/{id}/posts/{post_id}", { id: "a b", post_id: "é" }]],
  ])("finds %s %s", (method, path, expected) => {
    expect(find(method, path)).toEqual(expected);
  });

  it("ignores a trailing slash, unless a route is declared with it", () => {
    expect(find("POST", "/users")).toEqual(["POST /users", {}]);
    expect(find("POST", "/users/")).toEqual(["POST /users/", {}]);
    expect(find("GET", "/users/7/")).toEqual(["GET /users/{id}", { id: "7" }]);
    expect(find("POST", "/notes")).toEqual(["POST /notes/", {}]);
  });

  it("returns the methods that a path allows, none for an unknown path", () => {
    expect(find("PATCH", "/users/7")).toEqual(["DELETE", "GET"]);
    expect(find("PUT", "/users")).toEqual(["GET", "POST"]);
    const unknown = ["/nothing", "/users//posts/1", "//", "/users//", "/users///", "/users/7//", "/notes//"];
    for (const path of unknown) expect([find("GET", path), find("POST", path)]).toEqual([[], []]);
  });

  it("rejects a route that is declared twice", () => {
    expect(() => createRouter([...routes, ...routes.slice(0, 1)])).toThrow("GET /users is declared twice");
  });
});
