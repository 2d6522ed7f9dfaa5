import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entityTag, notModified, parseEntityTags, preconditionFrom } from "../../../lib/http/etag.ts";
import { JsonText } from "../../../lib/http/response.ts";
import type { Method, Route } from "../../../lib/http/route.ts";
import { emptyRoute } from "../../support/api/test-route.ts";

const opaque = fc.stringMatching(/^[\x21\x23-\x7e]{0,12}$/);
const arbitraryTag = fc.record({ isWeak: fc.boolean(), tag: opaque });
const written = ({ isWeak, tag }: { isWeak: boolean; tag: string }) => `${isWeak ? "W/" : ""}"${tag}"`;

describe("a list of entity tags", () => {
  it("is parsed with any white space and empty elements", () => {
    const separator = fc.stringMatching(/^[ \t]{0,3},([ \t]*,){0,2}[ \t]{0,3}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(arbitraryTag, separator), { minLength: 1 }), (elements) => {
        const header = elements.map(([tag, after]) => written(tag) + after).join("");
        expect(parseEntityTags(header)).toEqual(elements.map(([tag]) => tag));
        expect(parseEntityTags(header.replace(/[ \t,]+$/, ""))).toEqual(elements.map(([tag]) => tag));
      }),
    );
  });

  it("is empty if the header is invalid", () => {
    for (const header of ["", "abc", '"abc', 'w/"abc"', '"a" "b"', '*, "a"', '"a"b"', 'W/ "a"'])
      expect(parseEntityTags(header)).toEqual([]);
    expect(parseEntityTags(" * ")).toBe("*");
    expect(parseEntityTags(undefined)).toBeUndefined();
  });
});

it("the entity tag of a record is the same for equal records only", () => {
  const tag = entityTag({ id: 1, name: "é" });
  expect(tag).toMatch(/^[\w-]{22}$/);
  expect(entityTag({ id: 1, name: "é" })).toBe(tag);
  expect(entityTag({ id: 2, name: "é" })).not.toBe(tag);
  expect(entityTag(new JsonText('{"id":1}'))).toBe(entityTag({ id: 1 }));
});

it("If-None-Match never turns an error into a 304", () => {
  const error = { statusCode: 404, headers: { etag: '"a"' } };
  expect(notModified(error, { "if-none-match": '"a"' })).toEqual(error);
});

describe("the preconditions of a write", () => {
  const route = (method: Method, isTagged = true): Route => ({
    ...emptyRoute(`${method} /records/{id}`),
    ...(isTagged && { etag: (record) => String(record) }),
  });
  const isMatch = (headers: Record<string, string>, record: string) => {
    const precondition = preconditionFrom(route("PUT"), headers) as ((record: string) => void) | undefined;
    try {
      precondition?.(record);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: "PreconditionFailed" });
      return false;
    }
  };

  it.each([
    [{ "if-match": '"a"' }, "a", true],
    [{ "if-match": '"b", "a"' }, "a", true],
    [{ "if-match": 'W/"a"' }, "a", false],
    [{ "if-match": "" }, "a", false],
    [{ "if-match": '"a.4.br"' }, "a.5", true],
    [{ "if-match": '"b.5"' }, "a.5", false],
    [{ "if-match": "*", "if-none-match": '"b"' }, "a", true],
    [{ "if-none-match": "*" }, "a", false],
    [{ "if-none-match": 'W/"a"' }, "a", false],
    [{ "if-none-match": '"b"' }, "a", true],
    [{ "if-match": '"a"', "if-none-match": '"a"' }, "a", false],
  ])("%j match the tag %s: %s", (headers, record, expected) => {
    expect(isMatch(headers as unknown as Record<string, string>, record)).toBe(expected);
  });

  it.each([
    ['W/"a"', "leave out the W/"],
    ['W/"b"', "read it again"],
    ['W/"b", "c"', "read it again"],
  ])("say what to do about the tag %s", (tag, advice) => {
    const precondition = preconditionFrom(route("PUT"), { "if-match": tag }) as (record: string) => void;
    expect(() => precondition("a")).toThrow(advice);
  });

  it("are undefined if the record need not be read", () => {
    for (const headers of [{}, { "if-match": "*" }])
      expect(preconditionFrom(route("PUT"), headers)).toBeUndefined();
    for (const other of [route("PUT", false), route("GET"), route("POST")])
      expect(preconditionFrom(other, { "if-match": '"a"' })).toBeUndefined();
  });
});
