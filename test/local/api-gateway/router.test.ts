import * as fc from "fast-check";
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

  it("equals that of a naive model", () => {
    const segment = fc.constantFrom("a", "b", "{x}", "{y}");
    const path = fc
      .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.constantFrom("", "{rest+}"))
      .map(([segments, greedy]) => `/${[...segments, ...(greedy === "" ? [] : [greedy])].join("/")}`);
    const key = fc.tuple(fc.constantFrom("GET", "PUT"), path).map((parts) => parts.join(" "));
    const request = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 8, selector: shape }), request, (keys, segments) => {
        const requested = `/${segments.join("/")}`;
        expect(choose(keys, `GET ${requested}`, "strict")?.[0]).toBe(naiveChoice(keys, requested));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** API Gateway refuses two routes that differ only in the names of their parameters. */
function shape(key: string): string {
  return key.replaceAll(/\{\w+/g, "{");
}

/** Writes every matching route's rank as text, and takes the first in alphabetical order. */
function naiveChoice(keys: readonly string[], path: string): string | undefined {
  const ranked = keys
    .filter((key) => !key.startsWith("PUT"))
    .filter((key) => {
      const pattern = key.slice(4).replaceAll(/\{\w+\}/g, "[^/]+");
      return new RegExp(`^${pattern.replace(/\{\w+\+\}/, ".+")}$`).test(path);
    })
    .map((key) => {
      const segments = key.slice(5).split("/");
      const ranks = segments.map((text) => (text.endsWith("+}") ? "2" : text.startsWith("{") ? "1" : "0"));
      return { key, rank: `${key.endsWith("+}") ? "1" : "0"}${ranks.join("")}` };
    });
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))[0]?.key;
}
