import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareText, containsIgnoringCase } from "../../../lib/domain/text.ts";

const text = fc.string({ unit: "binary" });
/** A combining mark changes the letter before it, so that this is no longer a part of the text. */
const whole = fc.string({ unit: "grapheme" });

it("the order of texts is that of their UTF-8 bytes", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareText(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
    }),
    // By code point, not by UTF-16 unit, and a prefix first.
    { examples: ["\ufb01 🧀", "a🧀 a🧁", "a ab"].map((each) => each.split(" ") as [string, string]) },
  );
});

describe("searching a text", () => {
  it("finds every part of a text", () => {
    fc.assert(
      fc.property(whole, whole, whole, (before, part, after) => {
        expect(containsIgnoringCase(part)(before + part + after)).toBe(true);
        expect(containsIgnoringCase(part.toLowerCase())(before + part + after)).toBe(true);
      }),
    );
  });

  it.each([
    ["ΟΔΟΣ", "οδος", true],
    ["ΟΔΟΣ", "οδοσ", true],
    ["οδοσα", "ΟΔΟΣ", true],
    ["É", "e", false],
    ["M\u00fcller", "Mu\u0308ller", true],
    ["Mu\u0308ller", "m\u00dcLLER", true],
    ["ｶﾞ Ｔｏｋｙｏ", "ガ tokyo", true],
    ["o\ufb03ce", "office", true],
    ["İstanbul", "i", true],
    ["", "a", false],
  ])("ignores case: %j, %j", (whole, part, expected) => {
    expect(containsIgnoringCase(part)(whole)).toBe(expected);
  });
});
