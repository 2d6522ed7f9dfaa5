import { describe, expect, it } from "vitest";
import { itemSize } from "../../../../lib/repositories/dynamodb/item-size.ts";

describe("an item's size", () => {
  it.each([
    ["a text's UTF-8 bytes and its name's", { title: "añ😀" }, 5 + 7],
    ["a number: a byte per two digits and two more", { n: 1234 }, 1 + 4],
    ["one byte for true, false and null", { a: true, b: null }, 2 + 2],
    ["a list: three bytes, one more per element", { l: ["ab", "c"] }, 1 + 3 + (1 + 2) + (1 + 1)],
    ["a map: three bytes, one more per entry", { m: { ab: "c" } }, 1 + 3 + 1 + 2 + 1],
    ["bytes as they are", { b: new Uint8Array(10) }, 1 + 10],
    ["nothing for what is undefined", { a: undefined }, 0],
  ])("counts %s", (_, item, bytes) => {
    expect(itemSize(item)).toBe(bytes);
  });
});
