import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkHeader, pageLinks, withParameters } from "../../../lib/http/links.ts";
import { linksOf } from "../../support/links.ts";

const place = fc.record({
  page: fc.integer({ min: 1, max: 20 }),
  size: fc.integer({ min: 1, max: 10 }),
  total: fc.nat(100),
});

function pagesOf(target: string, at: { page: number; size: number; total: number }) {
  const headers = new Headers(pageLinks(target, "limit", at));
  return Object.fromEntries(
    Object.entries(linksOf({ headers })).map(([relation, link]) => {
      const { pathname, searchParams } = new URL(link, "https://api.example.com");
      return [relation, { pathname, searchParams, page: Number(searchParams.get("page")) }];
    }),
  );
}

describe("the links of a page", () => {
  it("lead to pages that there are", () => {
    fc.assert(
      fc.property(place, (at) => {
        const { first, prev, next, last } = pagesOf("/posts", at);
        const lastPage = Math.max(1, Math.ceil(at.total / at.size));
        expect(first?.page).toBe(1);
        expect(last?.page).toBe(lastPage);
        expect(next?.page).toBe(at.page < lastPage ? at.page + 1 : undefined);
        expect(prev?.page).toBe(at.page > 1 ? Math.min(at.page - 1, lastPage) : undefined);
      }),
    );
  });

  it("keep every other parameter", () => {
    const query = fc.array(fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(query, place, (given, at) => {
        const kept = given.filter(([name]) => name !== "page" && name !== "limit");
        const { next } = pagesOf(`/posts?${new URLSearchParams([...given, ["page", "7"]])}`, {
          ...at,
          page: 1,
          total: 99,
        });
        expect(next?.pathname).toBe("/posts");
        const others = [...(next?.searchParams ?? [])].filter(
          ([name]) => name !== "page" && name !== "limit",
        );
        expect(others).toEqual(kept);
        expect(next?.searchParams.getAll("page")).toEqual(["2"]);
        expect(next?.searchParams.getAll("limit")).toEqual([String(at.size)]);
      }),
    );
  });

  it("are none where a page holds nothing", () => {
    expect(pageLinks("/products?size=0", "size", { page: 1, size: 0, total: 5 })).toEqual({});
  });

  it("are left out, the least important first, where they would burst the headers", () => {
    const target = `/posts?search=${"x".repeat(3_500)}`;
    const headers = new Headers(pageLinks(target, "limit", { page: 2, size: 10, total: 99 }));
    expect(Object.keys(linksOf({ headers }))).toEqual(["next", "prev"]);
    expect(linkHeader([{ relation: "next", target: "x".repeat(9_000) }])).toEqual({});
  });
});

describe("parameters of a target", () => {
  it.each([
    ["/posts", { page: "2" }, "/posts?page=2"],
    ["/posts?page=1&page=5&tag=a", { page: "2" }, "/posts?page=2&tag=a"],
    ["/posts?tag=a%20b&tag=%22%3E", { page: undefined }, "/posts?tag=a+b&tag=%22%3E"],
    ["/posts?page=1", { page: undefined }, "/posts"],
    ["/posts?a=b?c", { page: "2" }, "/posts?a=b%3Fc&page=2"],
    ["/caf%C3%A9", { page: "2" }, "/caf%C3%A9?page=2"],
  ])("%s with %j is %s", (target, parameters, expected) => {
    expect(withParameters(target, parameters)).toBe(expected);
  });
});
