import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { readJson, readParameters } from "../../../lib/http/request.ts";

const bodyError = (type: string) => ({ error: { field: "body", message: expect.any(String), type } });
const text = fc.string({ unit: "binary" });

describe("a JSON body", () => {
  it("is decoded, and its text is kept; an empty one is absent", () => {
    const sent = '\n{"a":[1,"é"]} ';
    expect(readJson(Buffer.from(sent))).toEqual({ value: { a: [1, "é"] }, text: sent });
    for (const body of [undefined, Buffer.alloc(0)])
      expect(readJson(body)).toEqual({ value: undefined, text: "" });
  });

  it("of invalid UTF-8 is `utf8_invalid`, whatever else is wrong with it", () => {
    const broken = fc
      .tuple(text, fc.uint8Array({ minLength: 1, maxLength: 4 }), text)
      .map(([before, bytes, after]) => Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]))
      .filter((bytes) => !isUtf8(bytes));
    fc.assert(
      fc.property(broken, (bytes) => {
        expect(readJson(bytes)).toEqual(bodyError("utf8_invalid"));
      }),
      { examples: [[Buffer.from([0x22, 0xff, 0x22])], [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])]] },
    );
  });

  it.each(["{", " ", "text", "{},", "'a'", "\ufeff\ufeff{}"])("of %j is `json_invalid`", (sent) => {
    expect(readJson(Buffer.from(sent))).toEqual(bodyError("json_invalid"));
  });

  it("with a hundred thousand levels is a value or an error, and never throws", () => {
    const read = readJson(Buffer.from("[".repeat(100_000) + "]".repeat(100_000)));
    if ("error" in read) expect(read).toEqual(bodyError("json_invalid"));
    else expect(read.value).toHaveLength(1);
  });
});

describe("the size of parameters in a body", () => {
  const json = { "content-type": "application/json" };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const tooBig = { error: { field: "body", message: "Must have at most 10,240 bytes", type: "too_big" } };

  it("may have 10 KB", () => {
    const body = Buffer.from(`{"a":"${"x".repeat(10_240 - 8)}"}`);
    expect(body).toHaveLength(10_240);
    expect(readParameters({ body, headers: json })).toMatchObject({ value: { a: [expect.any(String)] } });
    expect(readParameters({ body: Buffer.concat([body, Buffer.from(" ")]), headers: json })).toEqual(tooBig);
  });

  const fields = Array.from({ length: 400_000 }, (_, i) => [`f${i}`, 0]);
  it.each([
    ["JSON", JSON.stringify(Object.fromEntries(fields)), json],
    ["a form", "a=1&".repeat(400_000), form],
    ["no JSON", "x".repeat(1_000_000), json],
  ])("are refused before a larger body is parsed: %s", (_, text, headers) => {
    const parse = vi.spyOn(JSON, "parse");
    expect(readParameters({ body: Buffer.from(text), headers })).toEqual(tooBig);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});
