import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { compressResponse, negotiateEncoding } from "../../../lib/http/response.ts";

const large = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: 'é\u0001"' })));
const resultWith = (body: string, more: object = {}) => {
  const headers = { "content-type": "application/json", ...more };
  return { statusCode: 200, headers, body };
};
const brotli = { "accept-encoding": "br" };

it.each([
  [undefined, undefined],
  ["", undefined],
  ["x-gzip", "gzip"],
  ["GZIP;Q=0.5", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=0.5, br;q=0.5", "br"],
  ["*", "br"],
  ["*;q=0", undefined],
  ["br;q=0, *", "gzip"],
  ["br;q=0.000, gzip;q=0.001", "gzip"],
  ["identity, gzip;q=0.9", undefined],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["deflate, zstd", undefined],
  ["deflate gzip", undefined],
  ["gzip;level=9", undefined],
  ["gzip;q=2", undefined],
  [" ,, gzip ; q=1 ,", "gzip"],
])("the negotiated content coding for %j is %s", (header, coding) => {
  expect(negotiateEncoding(header)).toBe(coding);
});

describe("a response", () => {
  it("has `vary` even if the client accepts no compression", () => {
    const { headers, ...rest } = compressResponse(resultWith(large, { etag: '"a"' }), {});
    expect(rest).toEqual({ statusCode: 200, body: large });
    expect(headers).toMatchObject({ etag: '"a"', vary: "accept-encoding" });
  });

  const long = "x".repeat(2_000);
  const json = "application/json";
  it.each([
    ["text", long, "text/plain; charset=utf-8", true],
    ["OpenAPI", long, "application/vnd.oai.openapi+json", true],
    ["an image", long, "image/png", false],
    ["another type with the name of one", long, "model/text/plain", false],
    ["1,022 bytes of UTF-8", "é".repeat(511), json, false],
    ["1,024 bytes of UTF-8", "é".repeat(512), json, true],
  ])("of %s is compressed or not changed", (_, body, type, expected) => {
    const result = resultWith(body, { "content-type": type });
    const sent = compressResponse(result, brotli);
    expect(sent.isBase64Encoded ?? false).toBe(expected);
    if (!expected) expect(sent).toEqual(result);
  });

  it.each(["br", "gzip"] as const)("that %s and Base64 together make longer is sent as it is", (coding) => {
    // One of 95 characters has 6.6 bits: compression saves a sixth at most, and Base64 adds a third.
    const dense = Array.from({ length: 400 }, (_, i) => hash("sha512", String(i), "buffer"))
      .flatMap((bytes) => [...bytes].map((byte) => String.fromCharCode(32 + (byte % 95))))
      .join("");
    const result = resultWith(dense, { etag: '"a"' });
    const headers = { ...result.headers, vary: "accept-encoding" };
    expect(compressResponse(result, { "accept-encoding": coding })).toEqual({ ...result, headers });
  });

  it.each([
    ["without a body", { statusCode: 204, headers: {} }],
    ["that was compressed when it was built", { ...resultWith(large), isBase64Encoded: true }],
  ])("%s is not changed", (_, result) => {
    expect(compressResponse(result, brotli)).toEqual(result);
  });
});
