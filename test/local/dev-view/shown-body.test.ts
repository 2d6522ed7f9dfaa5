import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodedBody, shownBody } from "../../../local/dev-view/shown-body.ts";

const shown = (text: string) => shownBody(Buffer.from(text));

describe("a body on the page of requests", () => {
  it.each([
    ["is indented JSON", '{"title":"Buy milk"}', '{\n  "title": "Buy milk"\n}'],
    ["is any other text", "The key is valid", "The key is valid"],
    ["is empty", "", ""],
    ["has no password", '{"a":1,"password":"Analytical1"}', '{\n  "a": 1,\n  "password": "•••"\n}'],
    ["has no password of a batch", '[{"password":"Analytical1"}]', '[\n  {\n    "password": "•••"\n  }\n]'],
    ["has no token", '{"access_token":"a.b.c","b":1}', '{\n  "access_token": "•••",\n  "b": 1\n}'],
    ["has no escaped name of a password", '{"p\\u0061ssword":"x"}', '{\n  "password": "•••"\n}'],
    ["has no password of a form", "username=ada&password=Analytical1&x=1", "username=ada&password=•••&x=1"],
    [
      "is hidden as broken JSON with a password",
      '{"password":"Analytical1"',
      expect.stringMatching(/^Not shown/),
    ],
    ["is shown as broken JSON", '{"title": Buy milk}', '{"title": Buy milk}'],
    ["is shortened", "x".repeat(5_000), `${"x".repeat(4_000)}\n… of 5000 characters`],
    ["is not read if it is large", "x".repeat(200_001), "200001 bytes, which are too many to show"],
  ])("%s", (_, text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it("is not shown if it is no text", () => {
    expect(shownBody(Buffer.from([0xff, 0xfe]))).toBe("2 bytes that are not text");
  });

  it.each([
    ["br", brotliCompressSync],
    ["gzip", gzipSync],
  ])("is decompressed (%s)", (encoding, compress) => {
    const headers = { "content-encoding": encoding };
    expect(decodedBody({ headers, body: compress("text") }).toString()).toBe("text");
    expect(decodedBody({ headers: {}, body: Buffer.from("text") }).toString()).toBe("text");
  });
});
