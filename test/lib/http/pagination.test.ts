import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  limitPageToResponseSize,
  limitToResponseSize,
  linkHeader,
  type PagePosition,
  pageLinks,
} from "../../../lib/http/pagination.ts";
import { RequestTarget } from "../../../lib/http/request.ts";
import { AccountListQuery, byCount, byUsername, positionParameter } from "../../../lib/validators/cursor.ts";
import { linksOf } from "../../support/api/links.ts";

const LAMBDA_BYTES = 6_291_556;

function targetOf(path: string, parameters: [string, string][] = []): RequestTarget {
  return new RequestTarget(path, new URLSearchParams(parameters));
}

function limitNotes(notes: { id: number; text: string }[], next?: string) {
  const target = targetOf("/notes", [["limit", "5000"]]);
  const { records, headers } = limitToResponseSize({ records: notes, next }, target, {
    positionOf: ({ id }, count) => `${id}-${count}`,
    cursorAfter: (position) => position,
  });
  const links = linksOf({ headers: new Headers(headers) });
  expect(Object.keys(links)).toEqual(links.next === undefined ? [] : ["next"]);
  return { records, next: links.next };
}

describe("a list", () => {
  it.each(["x", "\ud800", "ⓧ\n"])(
    "of texts of %j is cut at a record and fills a Lambda response",
    (character) => {
      const text = character.repeat(100_000 / character.length);
      const records = Array.from({ length: 80 }, (_, i) => ({ id: i + 1, text }));
      const { records: first, next } = limitNotes(records);
      const count = first.length;
      const body = JSON.stringify(first);
      const bytes = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body }));
      const larger = JSON.stringify(records.slice(0, count + 1));

      expect(bytes).toBeLessThan(LAMBDA_BYTES);
      expect(next).toBe(count === 80 ? undefined : `?limit=5000&cursor=${count}-${count}`);
      const isFull = Buffer.byteLength(JSON.stringify(larger)) > LAMBDA_BYTES - 70_000;
      expect(count === 80 || isFull).toBe(true);
    },
  );

  it("links to the next part if there are more records", () => {
    expect(limitNotes([{ id: 7, text: "" }], "9-1")).toEqual({
      records: [{ id: 7, text: "" }],
      next: "?limit=5000&cursor=9-1",
    });
    expect(limitNotes([{ id: 7, text: "" }])).toMatchObject({ next: undefined });
    expect(limitNotes([], "9-1")).toEqual({ records: [], next: "?limit=5000&cursor=9-1" });
  });

  it("has its first record, however large it is, and is not cut if it fits", () => {
    const notes = Array.from({ length: 3 }, (_, id) => ({ id, text: "x".repeat(1_000_000) }));
    expect(limitNotes(notes)).toEqual({ records: notes, next: undefined });
    const large = { id: 7, text: "x".repeat(7_000_000) };
    expect(limitNotes([large, ...notes])).toEqual({ records: [large], next: "?limit=5000&cursor=7-1" });
  });
});

describe("a page", () => {
  const pageOf = (page: number, size: number) => {
    const text = "x".repeat(250_000);
    const all = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, text }));
    const { headers, records } = limitPageToResponseSize(
      all.slice((page - 1) * size, page * size),
      { page, size, total: 60 },
      targetOf("/posts", [["tag", "a"]]),
      "limit",
    );
    return { ids: records.map(({ id }) => id), next: linksOf({ headers: new Headers(headers) }).next };
  };

  it.each([
    [1, 40],
    [2, 29],
  ])("has links that skip no record, from page %i of size %i", (page, size) => {
    const seen: number[] = [];
    let position = { page, size };
    for (let next: string | undefined = ""; next !== undefined; ) {
      const response = pageOf(position.page, position.size);
      expect(response.ids.length).toBeGreaterThan(0);
      seen.push(...response.ids);
      next = response.next;
      const query = new URL(next ?? "", "https://api.example.com").searchParams;
      position = { page: Number(query.get("page")), size: Number(query.get("limit")) };
    }
    const offset = (page - 1) * size;
    expect(seen).toEqual(Array.from({ length: 60 - offset }, (_, i) => offset + i + 1));
  });

  it("that fits into a response keeps its size", () => {
    expect(pageOf(2, 5)).toMatchObject({ ids: [6, 7, 8, 9, 10], next: "?tag=a&page=3&limit=5" });
  });
});

describe("a page of a list whose total is unknown", () => {
  const linksOfPage = (count: number, hasMore: boolean, size = count) => {
    const records = Array.from({ length: count }, (_, id) => ({ id, text: "x".repeat(400_000) }));
    const { headers } = limitPageToResponseSize(records, { page: 1, size, hasMore }, targetOf("/x"), "limit");
    return linksOf({ headers: new Headers(headers) });
  };

  it("links to the next one if it was cut, or if there are more", () => {
    expect(linksOfPage(30, false)).toEqual({ first: "?page=1&limit=15", next: "?page=2&limit=15" });
    expect(linksOfPage(30, true)).toEqual(linksOfPage(30, false));
    expect(linksOfPage(9, true)).toEqual({ first: "?page=1&limit=9", next: "?page=2&limit=9" });
    expect(linksOfPage(9, false, 12)).toEqual({ first: "?page=1&limit=12" });
  });
});

const position = fc.record({
  page: fc.integer({ min: 1, max: 20 }),
  size: fc.integer({ min: 1, max: 10 }),
  total: fc.nat(100),
});

function pagesOf(target: RequestTarget, at: PagePosition) {
  const headers = new Headers(pageLinks(target, "limit", at));
  return Object.fromEntries(
    Object.entries(linksOf({ headers })).map(([relation, link]) => {
      const { searchParams } = new URL(link, "https://api.example.com");
      return [relation, { searchParams, page: Number(searchParams.get("page")) }];
    }),
  );
}

describe("the links of a page", () => {
  it("lead to pages that exist", () => {
    fc.assert(
      fc.property(position, (at) => {
        const { first, prev, next, last } = pagesOf(targetOf("/posts"), at);
        const lastPage = Math.max(1, Math.ceil(at.total / at.size));
        expect(first?.page).toBe(1);
        expect(last?.page).toBe(lastPage);
        expect(next?.page).toBe(at.page < lastPage ? at.page + 1 : undefined);
        expect(prev?.page).toBe(at.page > 1 ? Math.min(at.page - 1, lastPage) : undefined);
      }),
    );
  });

  it("keep every other parameter", () => {
    const target = targetOf("/posts", [
      ["tag", "a&b"],
      ["page", "7"],
      ["tag", "é"],
    ]);
    const { next } = pagesOf(target, { page: 1, size: 10, total: 99 });
    expect([...(next?.searchParams ?? [])]).toEqual([
      ["tag", "a&b"],
      ["page", "2"],
      ["tag", "é"],
      ["limit", "10"],
    ]);
  });

  it("are empty for the page size 0", () => {
    expect(pageLinks(targetOf("/products", [["size", "0"]]), "size", { page: 1, size: 0, total: 5 })).toEqual(
      {},
    );
  });

  it("are limited to the size of a header, the most important first", () => {
    const target = targetOf("/posts", [["search", "x".repeat(3_500)]]);
    const headers = new Headers(pageLinks(target, "limit", { page: 2, size: 10, total: 99 }));
    expect(Object.keys(linksOf({ headers }))).toEqual(["next", "prev"]);
    const longest = "x".repeat(8_000 - '<>; rel="next"'.length);
    expect(linkHeader({ next: longest })).toEqual({ link: `<${longest}>; rel="next"` });
    expect(linkHeader({ next: longest, first: longest })).toEqual({ link: `<${longest}>; rel="next"` });
    // Without it, the client would take the list for complete.
    expect(() => linkHeader({ next: `${longest}x` })).toThrow("Request validation failed");
  });
});

describe("a cursor", () => {
  it("contains the last username, or how many records came before", () => {
    const parseName = (text: string) => AccountListQuery.safeParse({ cursor: [text] }).data?.cursor;
    const cursorOf = (text: string) => Buffer.from(text).toString("base64url");
    expect(parseName(byUsername.cursorAfter(byUsername.positionOf({ username: "ada" })))).toBe("ada");
    for (const text of ["username a b", "a username b", "username ", `username ${"a".repeat(51)}`])
      expect(parseName(cursorOf(text))).toBeUndefined();

    const list = byCount(30);
    const { data } = positionParameter.safeParse(list.cursorAfter(list.positionOf(undefined, 5)));
    expect(data).toEqual({ afterId: undefined, afterCount: 35 });
    expect(positionParameter.safeParse(cursorOf("username ada")).success).toBe(false);
  });
});
