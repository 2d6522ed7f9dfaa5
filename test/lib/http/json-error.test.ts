import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonError } from "../../../lib/http/json-error.ts";

describe("the place where a text stops being JSON", () => {
  it.each([
    ["", 0],
    ["  ", 2],
    ["{", 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ['{"a":1,', 7],
    ['{"a":1,}', 7],
    ["[1,]", 3],
    ["[,1]", 1],
    ["[1 2]", 3],
    ["[1}", 2],
    ["{]", 1],
    ["{1:2}", 1],
    ["{a:1}", 1],
    ["{'a':1}", 1],
    ['{"a" 1}', 5],
    ['{"a":tru}', 5],
    ["truey", 4],
    ["undefined", 0],
    ["01", 1],
    ["1.", 1],
    ["1.x", 1],
    ["1e+", 1],
    ["1x", 1],
    ["1,", 1],
    ["+1", 0],
    ["NaN", 0],
    ["1 1", 2],
    ["[] []", 3],
    ["]", 0],
    [",", 0],
    ['"open', 0],
    ['"line\nbreak"', 0],
    [String.raw`["\x"]`, 1],
    [String.raw`["\u12"]`, 1],
    ["[1, // one\n2]", 4],
    ['\n\t {"title": Buy milk}', 13],
  ])("in %j is %i", (text, index) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonError(text)).toBe(index);
  });

  it("is the end of each part of a document that can go on, and of the whole", () => {
    const text = String.raw`{ "a\"b": [1.5e-3, {}, [], "é€\u00e9", true, null], "c": { "d": false } }`;

    expect(findJsonError(text)).toBe(text.length);
    for (let end = 0; end <= text.length; end += 1) {
      // A token that is cut can be wrong from its start.
      const cutToken = /(?:"(?:[^"\\]|\\.)*\\?|[-\w.+]+)$/.exec(text.slice(0, end))?.[0] ?? "";
      const found = findJsonError(text.slice(0, end));
      expect([found <= end, found >= end - cutToken.length]).toEqual([true, true]);
    }
  });

  it("is the end of any document that is JSON", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (json) => {
        expect(findJsonError(json)).toBe(json.length);
      }),
      { examples: [["[12.75e21,-0.5E10,10e-12]"]] },
    );
  });

  it("is never beyond a character that JSON does not allow", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, position) => {
        const at = position % (json.length + 1);
        expect(findJsonError(`${json.slice(0, at)}\u0001${json.slice(at)}`)).toBeLessThanOrEqual(at);
      }),
    );
  });

  it("is found in texts of any depth and length", () => {
    const deep = "[".repeat(1_000_000);
    const long = "x".repeat(5_000_000);
    expect(findJsonError(deep)).toBe(deep.length);
    expect(findJsonError(`["${long}", "${long}`)).toBe(long.length + 5);
  });
});
