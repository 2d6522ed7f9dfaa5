import { describe, expect, it } from "vitest";
import * as z from "zod";
import { response, routeBuilder } from "../../../lib/http/route.ts";
import { createRouter } from "../../../lib/http/router.ts";

const declare = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });
const routes = (
  [
    "GET /users",
    "POST /users",
    "POST /users/",
    "GET /users/me",
    "GET /users/{id}",
    "DELETE /users/{id}",
    "GET /users/{id}/posts/{post_id}",
    "POST /items/",
    "GET /",
  ] as const
).map((key) =>
  declare(key, {
    operationId: "test",
    summary: key,
    description: "For the tests.",
    responses: { 204: z.undefined() },
    handle: async () => response(204),
  }),
);

function choose(method: string, path: string): unknown {
  const found = createRouter(routes)(method, path);
  return found.route ? [`${found.route.method} ${found.route.pattern}`, found.path] : found.allow;
}

describe("the choice of a route", () => {
  it.each([
    ["GET", "/", ["GET /", {}]],
    ["GET", "/users", ["GET /users", {}]],
    ["GET", "/users/me", ["GET /users/me", {}]],
    ["GET", "/users/7", ["GET /users/{id}", { id: "7" }]],
    ["GET", "/users/a b/posts/é", ["GET /users/{id}/posts/{post_id}", { id: "a b", post_id: "é" }]],
  ])("finds %s %s", (method, path, expected) => {
    expect(choose(method, path)).toEqual(expected);
  });

  it("holds two operations apart where one path ends in a slash", () => {
    expect(choose("POST", "/users")).toEqual(["POST /users", {}]);
    expect(choose("POST", "/users/")).toEqual(["POST /users/", {}]);
  });

  it("makes no difference of a trailing slash anywhere else", () => {
    expect(choose("GET", "/users/")).toEqual(["GET /users", {}]);
    expect(choose("GET", "/users/7/")).toEqual(["GET /users/{id}", { id: "7" }]);
    expect(choose("POST", "/items")).toEqual(["POST /items/", {}]);
  });

  it("names the methods of a known path, and none of an unknown one", () => {
    expect(choose("PATCH", "/users/7")).toEqual(["DELETE", "GET"]);
    expect(choose("PUT", "/users")).toEqual(["GET", "POST"]);
    expect(choose("GET", "/nothing")).toEqual([]);
    expect(choose("GET", "/users//posts/1")).toEqual([]);
    for (const path of ["//", "/users//", "/users///", "/users/7//", "/items//"])
      expect(choose("POST", path)).toEqual([]);
  });

  it("refuses a route declared twice", () => {
    expect(() => createRouter([...routes, ...routes.slice(0, 1)])).toThrow("GET /users is declared twice");
  });
});
