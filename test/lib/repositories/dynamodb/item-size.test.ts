import { describe, expect, it } from "vitest";
import { assertItemSize, itemSize, MAX_ITEM_BYTES } from "../../../../lib/repositories/dynamodb/item-size.ts";

describe("an item's size", () => {
  it.each([
    ["the UTF-8 bytes of a text and its name", { title: "añ😀" }, 5 + 7],
    ["one byte per two digits of a number, and two more", { n: 1234 }, 1 + 4],
    ["one byte for true, false and null", { a: true, b: null }, 2 + 2],
    ["three bytes for a list, and one more per element", { l: ["ab", "c"] }, 1 + 3 + (1 + 2) + (1 + 1)],
    ["three bytes for a map, and one more per entry", { m: { ab: "c" } }, 1 + 3 + 1 + 2 + 1],
    ["the bytes of binary data", { b: new Uint8Array(10) }, 1 + 10],
    ["nothing for undefined", { a: undefined }, 0],
  ])("counts %s", (_, item, bytes) => {
    expect(itemSize(item)).toBe(bytes);
  });

  it("is at most 400 KB", () => {
    expect(() => assertItemSize({ text: "x".repeat(409_596) })).not.toThrow();
    expect(() => assertItemSize({ text: "x".repeat(409_597) })).toThrow("Request validation failed");
  });

  it("that is too large is told in the bytes that the client has to save", () => {
    const t = "é".repeat(MAX_ITEM_BYTES / 2);

    expect(() => assertItemSize({ t }, "body.title")).toThrow(
      expect.objectContaining({
        details: [
          {
            field: "body.title",
            message: "Must be at least 1 byte shorter in UTF-8: a record can have 400 KB",
            type: "too_big",
          },
        ],
      }),
    );
  });
});
