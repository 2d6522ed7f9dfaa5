import { describe, expect, it } from "vitest";
import { createRouter, type SlashMode } from "../../../local/api-gateway/router.ts";

function choose(routeKeys: readonly string[], request: string, slashes: SlashMode = "lenient") {
  const [method = "", path = ""] = request.split(" ");
  const router = createRouter(
    routeKeys.map((routeKey) => ({ routeKey })),
    slashes,
  );
  const match = router(method, path);
  return match === undefined ? undefined : [match.route.routeKey, match.pathParameters];
}

describe("the choice of a route", () => {
  it("follows the developer guide's example", () => {
    const keys = ["POST /{proxy+}", "GET /pets/{proxy+}", "GET /pets/dog/{id}", "GET /pets/dog/1"];
    expect(choose(keys, "GET /pets/dog/1")).toEqual(["GET /pets/dog/1", undefined]);
    expect(choose(keys, "GET /pets/dog/2")).toEqual(["GET /pets/dog/{id}", { id: "2" }]);
    expect(choose(keys, "GET /pets/cat/1")).toEqual(["GET /pets/{proxy+}", { proxy: "cat/1" }]);
    expect(choose(keys, "POST /test/5")).toEqual(["POST /{proxy+}", { proxy: "test/5" }]);
  });

  it("prefers the literal in the leftmost segment that differs, and no greedy parameter", () => {
    expect(choose(["GET /{x}/b", "GET /a/{y}"], "GET /a/b")).toEqual(["GET /a/{y}", { y: "b" }]);
    expect(choose(["GET /a/{r+}", "GET /{x}/{y}"], "GET /a/b")).toEqual(["GET /{x}/{y}", { x: "a", y: "b" }]);
    expect(choose(["GET /{r+}", "GET /a/{r+}"], "GET /a/b/c")).toEqual(["GET /a/{r+}", { r: "b/c" }]);
  });

  it("gives no parameter an empty value", () => {
    expect(choose(["GET /users/{id}"], "GET /users/", "strict")).toBeUndefined();
    expect(choose(["GET /{proxy+}"], "GET /")).toBeUndefined();
  });

  it("treats a trailing slash according to the mode", () => {
    const keys = ["GET /users", "GET /users/{id}", "GET /{proxy+}"];
    expect(choose(keys, "GET /users/", "lenient")).toEqual(["GET /users", undefined]);
    expect(choose(keys, "GET /users/1/", "lenient")).toEqual(["GET /users/{id}", { id: "1" }]);
    expect(choose(keys, "GET /users/", "strict")).toEqual(["GET /{proxy+}", { proxy: "users/" }]);
    expect(choose(keys, "GET /users//", "lenient")?.[0]).toBe("GET /{proxy+}");
  });
});
