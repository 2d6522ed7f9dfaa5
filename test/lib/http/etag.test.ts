import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { JsonText } from "../../../lib/domain/json-text.ts";
import { expectationOf, revalidated, tagOf, tagsOf } from "../../../lib/http/etag.ts";
import { answer, area, type Method, type Route } from "../../../lib/http/route.ts";

const opaque = fc.stringMatching(/^[\x21\x23-\x7e]{0,12}$/);
const entityTag = fc.record({ isWeak: fc.boolean(), tag: opaque });
const written = ({ isWeak, tag }: { isWeak: boolean; tag: string }) => `${isWeak ? "W/" : ""}"${tag}"`;

describe("a list of entity tags", () => {
  it("is read as it was written, whatever white space and empty elements are in it", () => {
    const separator = fc.stringMatching(/^[ \t]{0,3},([ \t]*,){0,2}[ \t]{0,3}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(entityTag, separator), { minLength: 1 }), (elements) => {
        const header = elements.map(([tag, after]) => written(tag) + after).join("");
        expect(tagsOf(header)).toEqual(elements.map(([tag]) => tag));
        expect(tagsOf(header.replace(/[ \t,]+$/, ""))).toEqual(elements.map(([tag]) => tag));
      }),
    );
  });

  it("never fails, and names nothing where it is none", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const tags = tagsOf(header);
        expect(tags === "*" || Array.isArray(tags)).toBe(true);
      }),
    );
    for (const header of ["", "abc", '"abc', 'w/"abc"', '"a" "b"', '*, "a"', '"a"b"', 'W/ "a"'])
      expect(tagsOf(header)).toEqual([]);
    expect(tagsOf(" * ")).toBe("*");
    expect(tagsOf(undefined)).toBeUndefined();
  });

  it.each([" ", "\t", ",", '"', '"a",'])("takes a header of nothing but %j in a moment", (part) => {
    expect(() => tagsOf(`${part.repeat(10_000)}x`)).not.toThrow();
  });
});

describe("a record's tag", () => {
  it("is the same for the same record, and another for another", () => {
    expect(tagOf({ id: 1, name: "é" })).toBe(tagOf({ id: 1, name: "é" }));
    expect(tagOf({ id: 1, name: "é" })).not.toBe(tagOf({ id: 2, name: "é" }));
    expect(tagOf(new JsonText('{"id":1}'))).toBe(tagOf({ id: 1 }));
  });

  it("is an opaque tag without a dot", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (record) => {
        expect(tagOf(record)).toMatch(/^[\w-]{22}$/);
      }),
    );
  });
});

function answerOf(etag: string) {
  const headers = {
    etag,
    "content-type": "application/json",
    "content-encoding": "br",
    vary: "accept-encoding",
    "cache-control": "max-age=60",
  };
  return { statusCode: 200, headers, body: "AA==", isBase64Encoded: true };
}

describe("If-None-Match", () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"c" ,"a"', true],
    ["*", true],
    ['"a.gzip"', true],
    ['"a.br"', true],
    ['"a.5"', false],
    ['"b"', false],
    ["a", false],
    ["", false],
  ])("%s names the representation with the tag a: %s", (header, expected) => {
    for (const etag of ['"a"', '"a.br"']) {
      const { statusCode } = revalidated(answerOf(etag), { "if-none-match": header });
      expect(statusCode).toBe(expected ? 304 : 200);
    }
  });

  it("leaves what is not about the body", () => {
    expect(revalidated(answerOf('"a.br"'), { "if-none-match": '"a"' })).toEqual({
      statusCode: 304,
      headers: { etag: '"a.br"', vary: "accept-encoding", "cache-control": "max-age=60" },
    });
  });

  it("is not needed, and means nothing for a failure or an answer without a tag", () => {
    const failure = { ...answerOf('"a"'), statusCode: 404 };
    expect(revalidated(answerOf('"a"'), {})).toEqual(answerOf('"a"'));
    expect(revalidated(failure, { "if-none-match": "*" })).toEqual(failure);
    expect(revalidated({ statusCode: 200 }, { "if-none-match": "*" })).toEqual({ statusCode: 200 });
  });
});

describe("the preconditions of a write", () => {
  const route = (method: Method, isTagged = true): Route<never> =>
    area<never>({ tag: "test", dialect: "detail" })(`${method} /records/{id}`, {
      operationId: "test",
      summary: "Test",
      description: "For the tests.",
      answers: { 204: z.undefined() },
      ...(isTagged && { etag: (record: string) => record }),
      handle: async () => answer(204),
    });
  const holds = (headers: Record<string, string>, record: string) => {
    const expectation = expectationOf(route("PUT"), headers) as ((record: string) => void) | undefined;
    try {
      expectation?.(record);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: "PreconditionFailed" });
      return false;
    }
  };

  it.each([
    [{ "if-match": '"a"' }, "a", true],
    [{ "if-match": '"b", "a"' }, "a", true],
    [{ "if-match": '"b"' }, "a", false],
    [{ "if-match": 'W/"a"' }, "a", false],
    [{ "if-match": "a" }, "a", false],
    [{ "if-match": "" }, "a", false],
    [{ "if-match": '"a.4"' }, "a.5", true],
    [{ "if-match": '"a.4.br"' }, "a.5", true],
    [{ "if-match": '"b.5"' }, "a.5", false],
    [{ "if-match": "*" }, "a", true],
    [{ "if-none-match": "*" }, "a", false],
    [{ "if-none-match": 'W/"a"' }, "a", false],
    [{ "if-none-match": '"b"' }, "a", true],
    [{ "if-match": '"a"', "if-none-match": '"a"' }, "a", false],
  ])("%j hold of the tag %s: %s", (headers, record, expected) => {
    expect(holds(headers as unknown as Record<string, string>, record)).toBe(expected);
  });

  it("ask nothing where nothing has to be read for them", () => {
    expect(expectationOf(route("PUT"), {})).toBeUndefined();
    expect(expectationOf(route("PUT"), { "if-match": "*" })).toBeUndefined();
    expect(expectationOf(route("PUT", false), { "if-match": '"a"' })).toBeUndefined();
    expect(expectationOf(route("GET"), { "if-match": '"a"' })).toBeUndefined();
    expect(expectationOf(route("POST"), { "if-match": '"a"' })).toBeUndefined();
  });
});
