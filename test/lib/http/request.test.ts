import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RequestTarget, readEvent, urlOf } from "../../../lib/http/request.ts";
import { readTarget } from "../../../local/api-gateway/request.ts";

it("a request has a target that leads to its decoded path", () => {
  // Lone surrogates can't be encoded in UTF-8. A question mark ends the path, unless a gateway keeps it encoded.
  const decodedPath = fc.string({ unit: "binary" }).map((text) => `/${text.replaceAll("?", "")}`);
  fc.assert(
    fc.property(decodedPath, (path) => {
      const { encodedPath } = readEvent({ rawPath: path });
      expect(readTarget(encodedPath)).toEqual({ path, query: "" });
      expect(encodedPath).toMatch(/^[!-~]+$/);
    }),
  );
  const path = "/a?b#c%d";
  expect(readEvent({ rawPath: path })).toMatchObject({ path, encodedPath: "/a%3Fb%23c%25d" });
});

describe("an event of another tool", () => {
  it("is read with header names in any case, and with null", () => {
    // As SAM 1.170 sends it.
    const sent = { Host: "localhost:3000", "If-Match": '"nope"', "X-Forwarded-Proto": "http" };
    const read = readEvent({ headers: sent, requestContext: { http: { method: "PUT", sourceIp: null } } });
    const headers = { "if-match": '"nope"' };
    expect(read).toMatchObject({ method: "PUT", origin: "http://localhost:3000", address: "", headers });
  });

  it("is a GET of / if it is empty", () => {
    const { time, ...read } = readEvent({});
    const empty = { id: "", method: "GET", path: "/", headers: {}, address: "", rawQuery: "" };
    expect(read).toMatchObject({ ...empty, body: undefined });
    expect(time.getTime()).toBeGreaterThan(0);
    expect(urlOf({ time, ...read })).toBe("https://localhost/");
    expect(readEvent({ requestContext: null, headers: null, body: null })).toMatchObject(read);
  });
});

const targetOf = (target: string) => {
  const [path = "", ...query] = target.split("?");
  return new RequestTarget(path, new URLSearchParams(query.join("?")));
};

it.each([
  ["/posts?page=1&page=5&tag=a", { page: "2" }, "?page=2&tag=a"],
  ["/posts?tag=a%20b&tag=%22%3E", {}, "?tag=a+b&tag=%22%3E"],
  ["/posts", {}, ""],
  ["/posts?a=b?c", { page: "2" }, "?a=b%3Fc&page=2"],
])("the target %s with %j is %s", (target, parameters, expected) => {
  const original = targetOf(target);
  expect(original.with(parameters)).toBe(expected);
  expect([...original.query]).toEqual([...targetOf(target).query]);
});
