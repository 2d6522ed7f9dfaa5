import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitPageToResponseSize, limitToResponseSize } from "../../../lib/http/pagination.ts";
import { cursorAfter, ListQuery } from "../../../lib/validators/cursor.ts";
import { linksOf } from "../../support/links.ts";

/** What Lambda takes as an answer. */
const LAMBDA_BYTES = 6_291_556;

const cut = (records: { id: number; text: string }[], hasMore = false) => {
  const { records: kept, headers } = limitToResponseSize(
    { records, hasMore },
    "/notes?limit=5000",
    ({ id }) => String(id),
  );
  return { kept, next: linksOf({ headers: new Headers(headers) }).next };
};

describe("a list in one answer", () => {
  it.each(["x", "é", "🧀", '"', "\\", "\u0001", "\ud800", "ⓧ\n"])(
    "of texts of %j ends at a record, and is all that Lambda takes",
    (character) => {
      const text = character.repeat(100_000 / character.length);
      const records = Array.from({ length: 80 }, (_, i) => ({ id: i + 1, text }));
      const { kept, next } = cut(records);
      const body = JSON.stringify(kept);
      const bytes = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body }));
      const larger = JSON.stringify(records.slice(0, kept.length + 1));

      expect(bytes).toBeLessThan(LAMBDA_BYTES);
      expect(next).toBe(kept.length === 80 ? undefined : `/notes?limit=5000&cursor=${kept.length}`);
      const isFull = Buffer.byteLength(JSON.stringify(larger)) > LAMBDA_BYTES - 70_000;
      expect(kept.length === 80 || isFull).toBe(true);
    },
  );

  it("goes on where there is more in the store", () => {
    expect(cut([{ id: 7, text: "" }], true)).toEqual({
      kept: [{ id: 7, text: "" }],
      next: "/notes?limit=5000&cursor=7",
    });
    expect(cut([{ id: 7, text: "" }])).toMatchObject({ next: undefined });
    expect(cut([], true)).toEqual({ kept: [], next: undefined });
  });
});

describe("a page in one answer", () => {
  const pageOf = (page: number, size: number) => {
    const text = "x".repeat(400_000);
    const all = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, text }));
    const records = all.slice((page - 1) * size, page * size);
    const { headers, records: kept } = limitPageToResponseSize(
      records,
      { page, size, total: 60 },
      "/posts?tag=a",
      "limit",
    );
    return { ids: kept.map(({ id }) => id), next: linksOf({ headers: new Headers(headers) }).next };
  };

  it.each([
    [1, 60],
    [1, 40],
    [2, 20],
    [2, 25],
    [2, 29],
  ])("leads on without a gap from page %i of size %i", (page, size) => {
    const seen: number[] = [];
    let [at, of] = [page, size];
    for (let next: string | undefined = ""; next !== undefined; ) {
      const found = pageOf(at, of);
      expect(found.ids.length).toBeGreaterThan(0);
      seen.push(...found.ids);
      next = found.next;
      const query = new URL(next ?? "", "https://api.example.com").searchParams;
      [at, of] = [Number(query.get("page")), Number(query.get("limit"))];
    }
    const begin = (page - 1) * size;
    expect(seen).toEqual(Array.from({ length: 60 - begin }, (_, i) => begin + i + 1));
  });

  it("that fits keeps its size", () => {
    expect(pageOf(2, 5)).toMatchObject({ ids: [6, 7, 8, 9, 10], next: "/posts?tag=a&page=3&limit=5" });
  });
});

describe("a cursor", () => {
  const read = (text: string) => ListQuery.safeParse({ cursor: [text] });

  it("says where the list goes on, to us alone", () => {
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER - 1), (id) => {
        expect(cursorAfter(id)).toMatch(/^[\w-]+$/);
        expect(read(cursorAfter(id)).data?.cursor).toBe(id);
      }),
    );
  });

  it("that was made up is refused", () => {
    fc.assert(fc.property(fc.string(), (text) => !read(text).success));
    const made = [
      "after 01",
      "after -1",
      "after 1 ",
      "after 1e3",
      "after 9007199254740991",
      "after 99999999999999999",
    ];
    for (const text of [
      "",
      "5",
      `${cursorAfter(5)}=`,
      ...made.map((each) => Buffer.from(each).toString("base64url")),
    ])
      expect(read(text).error?.issues).toMatchObject([{ code: "invalid_format", path: ["cursor"] }]);
  });
});
