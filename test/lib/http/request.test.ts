import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestTarget, readEvent, urlOf } from "../../../lib/http/request.ts";
import { buildEvent } from "../../../local/api-gateway/event.ts";
import { readTarget } from "../../../local/api-gateway/request.ts";

const origin = { apiId: "api", routeKey: "GET /{proxy+}" };

interface SentRequest {
  readonly target?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
}

/** Sends a request through the local gateway, as a JSON event, and reads it as a function does. */
function receive({ target = "/", headers = [], body = new Uint8Array() }: SentRequest) {
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

/** Text without lone surrogates, which UTF-8 cannot encode. */
const text = fc.string({ unit: "binary" });
const name = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "a", "b"));
const encoders = {
  "spaces as %20": encodeURIComponent,
  "spaces as +": (value: string) => encodeURIComponent(value).replaceAll("%20", "+"),
  "minimal encoding": (value: string) => value.replace(/[^\w?/:@!$'()*,;-]/gu, encodeURIComponent),
};

describe("a request through the gateway", () => {
  it.each(Object.entries(encoders))("keeps every query parameter (%s)", (_, encode) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), (pairs) => {
        const search = pairs.map((pair) => pair.map(encode).join("=")).join("&");
        const { rawQuery } = receive({ target: `/?${search}` });

        expect([...new URLSearchParams(rawQuery)]).toEqual(pairs);
        expect(rawQuery).toBe(search);
      }),
    );
  });

  it("has the decoded path, and a target that leads to the same path", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (segments) => {
        const { path, encodedPath } = receive({ target: `/${segments.map(encodeURIComponent).join("/")}` });

        // The gateway decodes slashes too, so an encoded one is a separator from here on. A question mark ends the path.
        expect(path).toBe(`/${segments.join("/")}`.split("?")[0]);
        expect(readTarget(encodedPath)).toEqual({ path, query: "" });
        expect(encodedPath).toMatch(/^[!-~]+$/);
      }),
    );
  });

  it("has a target that leads to the same path, even if the gateway keeps an encoded question mark", () => {
    const { path, encodedPath } = readEvent({ rawPath: "/a?b#c%d" });
    expect(path).toBe("/a?b#c%d");
    expect(encodedPath).toBe("/a%3Fb%23c%25d");
  });

  it("keeps header values and joins those of the same name in the order sent", () => {
    const value = fc.string({ unit: "grapheme-ascii", minLength: 1 }).filter((each) => each.trim() === each);
    const header = fc.constantFrom("X-One", "x-one", "X-TWO", "If-Match", "Idempotency-Key");
    fc.assert(
      fc.property(fc.array(fc.tuple(header, value)), (headers) => {
        const read = receive({ headers }).headers;
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

  it.each([undefined, "application/problem+json", "application/octet-stream"])(
    "keeps the bytes of a body of type %s",
    (type) => {
      const utf8 = text.map((each) => new TextEncoder().encode(each));
      const headers = type === undefined ? [] : [["Content-Type", type] as const];
      fc.assert(
        fc.property(fc.oneof(fc.uint8Array(), utf8, fc.constant(Buffer.from("\ufeff{}"))), (body) => {
          const read = receive({ headers, body }).body;
          if (body.length === 0) expect(read).toBeUndefined();
          else expect([...(read ?? [])]).toEqual([...body]);
        }),
      );
    },
  );
});

describe("an event of another tool", () => {
  it("is read with header names in any case, and with null", () => {
    // As SAM 1.170 sends it.
    const read = readEvent({
      rawPath: "/todos/1",
      headers: {
        Host: "localhost:3000",
        "If-Match": '"nope"',
        "X-Api-Key": "k",
        "X-Forwarded-Proto": "http",
      },
      requestContext: {
        http: { method: "PUT", path: "/todos/1", sourceIp: null },
      },
      body: "",
    });

    expect(read).toMatchObject({ method: "PUT", origin: "http://localhost:3000", address: "" });
    expect(read.headers).toMatchObject({ "if-match": '"nope"', "x-api-key": "k" });
  });

  it("is a GET of / if it is empty", () => {
    const { time, ...read } = readEvent({});
    expect(read).toMatchObject({ id: "", method: "GET", path: "/", headers: {}, address: "", rawQuery: "" });
    expect(read.body).toBeUndefined();
    expect(time.getTime()).toBeGreaterThan(0);
    expect(urlOf({ time, ...read })).toBe("https://localhost/");
    expect(readEvent({ requestContext: null, headers: null, body: null })).toMatchObject(read);
  });
});

describe("a request target", () => {
  const targetOf = (target: string) => {
    const [path = "", ...query] = target.split("?");
    return new RequestTarget(path, new URLSearchParams(query.join("?")));
  };

  it.each([
    ["/posts?page=1&page=5&tag=a", { page: "2" }, "?page=2&tag=a"],
    ["/posts?tag=a%20b&tag=%22%3E", {}, "?tag=a+b&tag=%22%3E"],
    ["/posts", {}, ""],
    ["/posts?a=b?c", { page: "2" }, "?a=b%3Fc&page=2"],
  ])("%s with %j is %s", (target, parameters, expected) => {
    const original = targetOf(target);
    expect(original.with(parameters)).toBe(expected);
    expect([...original.query]).toEqual([...targetOf(target).query]);
  });
});
