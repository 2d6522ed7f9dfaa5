import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvent } from "../../../lib/http/request.ts";
import { buildEvent } from "../../../local/api-gateway/event.ts";
import { readTarget } from "../../../local/api-gateway/request.ts";

const origin = { accountId: "000000000000", apiId: "api", stage: "$default", routeKey: "GET /{proxy+}" };

interface Sent {
  readonly target?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
}

/** What a function reads of a request that was sent to the local gateway: the event goes over as JSON. */
function received({ target = "/", headers = [], body = new Uint8Array() }: Sent) {
  const { path, query } = readTarget(target) ?? { path: "", query: "" };
  const event = buildEvent(
    {
      method: "GET",
      path,
      query,
      rawHeaders: [["Host", "api.example:8080"] as const, ...headers].flat(),
      body: Buffer.from(body),
      protocol: "HTTP/1.1",
      sourceIp: "203.0.113.9",
      port: 8080,
      receivedAt: new Date("2026-03-02T09:03:58.042Z"),
      requestId: "id",
    },
    origin,
  );
  return readEvent(JSON.parse(JSON.stringify(event)));
}

/** Whole characters of any script: what UTF-8 can carry. */
const text = fc.string({ unit: "binary" });
const name = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "a", "b"));
const encoders = {
  "%20": encodeURIComponent,
  "+": (value: string) => encodeURIComponent(value).replaceAll("%20", "+"),
  "no more than needed": (value: string) => value.replace(/[^\w?/:@!$'()*,;-]/gu, encodeURIComponent),
};

describe("a request through the gateway", () => {
  it.each(Object.entries(encoders))("keeps every query parameter, its spaces as %s", (_, encode) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), (pairs) => {
        const search = pairs.map((pair) => pair.map(encode).join("=")).join("&");
        const { query, target } = received({ target: `/?${search}` });
        const names = [...new Set(pairs.map(([each]) => each))];

        expect(Object.keys(query).sort()).toEqual(names.sort());
        for (const each of names)
          expect(query[each]).toEqual(pairs.filter(([other]) => other === each).map(([, value]) => value));
        expect(target).toBe(search === "" ? "/" : `/?${search}`);
      }),
    );
  });

  it("reads any query, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (search) => {
        const { query, url } = received({ target: `/?${search}` });
        for (const [each, values] of Object.entries(query))
          expect(new URLSearchParams(search).getAll(each)).toEqual(values);
        expect(url).toBe(`http://api.example:8080/${search && `?${search}`}`);
      }),
    );
  });

  it("decodes the path's segments, and its target leads to the same path again", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (segments) => {
        const { path, target } = received({ target: `/${segments.map(encodeURIComponent).join("/")}` });

        // A slash that was encoded is one of the path's own from here on: the gateway has decoded it.
        expect(path).toBe(`/${segments.join("/")}`);
        expect(readTarget(target)).toEqual({ path, query: "" });
        expect(target).toMatch(/^[!-~]+$/);
      }),
    );
  });

  it("keeps header values, and joins those of one name in the order sent", () => {
    const value = fc.string({ unit: "grapheme-ascii", minLength: 1 }).filter((each) => each.trim() === each);
    const header = fc.constantFrom("X-One", "x-one", "X-TWO", "If-Match", "Idempotency-Key");
    fc.assert(
      fc.property(fc.array(fc.tuple(header, value)), (headers) => {
        const read = received({ headers }).headers;
        for (const each of new Set(headers.map(([sent]) => sent.toLowerCase())))
          expect(read[each]).toBe(
            headers
              .filter(([sent]) => sent.toLowerCase() === each)
              .map(([, sent]) => sent)
              .join(","),
          );
      }),
    );
  });

  it.each([
    undefined,
    "application/json",
    "text/plain; charset=utf-8",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
  ])("keeps the body's bytes under the type %s", (type) => {
    const utf8 = text.map((each) => new TextEncoder().encode(each));
    const headers = type === undefined ? [] : [["Content-Type", type] as const];
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), utf8, fc.constant(Buffer.from("\ufeff{}"))), (body) => {
        const read = received({ headers, body }).body;
        if (body.length === 0) expect(read).toBeUndefined();
        else expect([...(read ?? [])]).toEqual([...body]);
      }),
    );
  });
});
