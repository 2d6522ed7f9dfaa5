import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  limitPageToResponseSize,
  limitToResponseSize,
  linkHeader,
  pageLinks,
} from "../../../lib/http/pagination.ts";
import { RequestTarget } from "../../../lib/http/request.ts";
import { AccountListQuery, byCount, byUsername, positionParameter } from "../../../lib/validators/cursor.ts";
import { linksOf } from "../../support/api/links.ts";

const LAMBDA_BYTES = 6_291_556;

const targetOf = (query = "") => new RequestTarget("/notes", new URLSearchParams(query));
const linksIn = (headers: Readonly<Record<string, string>>) => linksOf({ headers: new Headers(headers) });
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

function limitNotes(notes: { id: number; text: string }[], next?: string) {
  const part = { records: notes, next };
  const { records, headers } = limitToResponseSize(part, targetOf("limit=5000"), {
    positionOf: ({ id }, count) => `${id}-${count}`,
    cursorAfter: (position) => position,
  });
  const { next: link, ...others } = linksIn(headers);
  expect(others).toEqual({});
  return { records, next: link };
}

describe("a list", () => {
  it.each(["x", "\ud800", "ⓧ\n"])("of texts of %j is cut at a record and fills a response", (character) => {
    const text = character.repeat(100_000 / character.length);
    const records = upTo(80).map((id) => ({ id, text }));
    const { records: first, next } = limitNotes(records);
    const count = first.length;
    const body = JSON.stringify(first);
    const bytes = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body }));
    const larger = JSON.stringify(records.slice(0, count + 1));

    expect(bytes).toBeLessThan(LAMBDA_BYTES);
    expect(next).toBe(count === 80 ? undefined : `?limit=5000&cursor=${count}-${count}`);
    const isFull = Buffer.byteLength(JSON.stringify(larger)) > LAMBDA_BYTES - 70_000;
    expect(count === 80 || isFull).toBe(true);
  });

  it("links to the next part if there are more records", () => {
    for (const records of [[], [{ id: 7, text: "" }]]) {
      expect(limitNotes(records, "9-1")).toEqual({ records, next: "?limit=5000&cursor=9-1" });
      expect(limitNotes(records)).toEqual({ records, next: undefined });
    }
  });

  it("has its first record, however large it is, and is not cut if it fits", () => {
    const notes = upTo(3).map((id) => ({ id, text: "x".repeat(1_000_000) }));
    expect(limitNotes(notes)).toEqual({ records: notes, next: undefined });
    const large = { id: 7, text: "x".repeat(7_000_000) };
    expect(limitNotes([large, ...notes])).toEqual({ records: [large], next: "?limit=5000&cursor=7-1" });
  });
});

describe("a page", () => {
  const pageOf = (page: number, size: number) => {
    const text = "x".repeat(250_000);
    const all = upTo(60).map((id) => ({ id, text }));
    const part = all.slice((page - 1) * size, page * size);
    const position = { page, size, total: 60 };
    const { headers, records } = limitPageToResponseSize(part, position, targetOf("tag=a"), "limit");
    return { ids: records.map(({ id }) => id), next: linksIn(headers).next };
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
    expect(seen).toEqual(upTo(60).slice(offset));
  });

  it("that fits into a response keeps its size", () => {
    expect(pageOf(2, 5)).toMatchObject({ ids: [6, 7, 8, 9, 10], next: "?tag=a&page=3&limit=5" });
  });
});

it.each([
  [30, false, 30, { first: "?page=1&limit=15", next: "?page=2&limit=15" }],
  [30, true, 30, { first: "?page=1&limit=15", next: "?page=2&limit=15" }],
  [9, true, 9, { first: "?page=1&limit=9", next: "?page=2&limit=9" }],
  [9, false, 12, { first: "?page=1&limit=12" }],
])("a page of %i without a total links to the next one if it was cut, or has more (%s)", (...row) => {
  const [count, hasMore, size, expected] = row;
  const records = upTo(count).map((id) => ({ id, text: "x".repeat(400_000) }));
  const { headers } = limitPageToResponseSize(records, { page: 1, size, hasMore }, targetOf(), "limit");
  expect(linksIn(headers)).toEqual(expected);
});

const position = fc.record({
  page: fc.integer({ min: 1, max: 20 }),
  size: fc.integer({ min: 1, max: 10 }),
  total: fc.nat(100),
});

describe("the links of a page", () => {
  it("lead to pages that exist", () => {
    fc.assert(
      fc.property(position, (at) => {
        const lastPage = Math.max(1, Math.ceil(at.total / at.size));
        const linkTo = (page: number) => `?page=${page}&limit=${at.size}`;
        expect(linksIn(pageLinks(targetOf(), "limit", at))).toEqual({
          first: linkTo(1),
          last: linkTo(lastPage),
          ...(at.page < lastPage && { next: linkTo(at.page + 1) }),
          ...(at.page > 1 && { prev: linkTo(Math.min(at.page - 1, lastPage)) }),
        });
      }),
    );
  });

  it("are none for the page size 0", () => {
    expect(pageLinks(targetOf("size=0"), "size", { page: 1, size: 0, total: 5 })).toEqual({});
  });

  it("are limited to the size of a header, the most important first", () => {
    const target = targetOf(`search=${"x".repeat(3_500)}`);
    const links = linksIn(pageLinks(target, "limit", { page: 2, size: 10, total: 99 }));
    expect(Object.keys(links)).toEqual(["next", "prev"]);
    const longest = "x".repeat(8_000 - '<>; rel="next"'.length);
    for (const first of [undefined, longest])
      expect(linkHeader({ next: longest, first })).toEqual({ link: `<${longest}>; rel="next"` });
    // Without it, the client would take the list for complete.
    expect(() => linkHeader({ next: `${longest}x` })).toThrow("Request validation failed");
  });
});

it("a cursor contains the last username, or how many records came before", () => {
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
