import { expect, it } from "vitest";
import { itemSize } from "./item-size.ts";

it.each([
  ["the UTF-8 bytes of a text and its name", { title: "añ😀" }, 5 + 7],
  ["one byte per two digits of a number, and two more", { n: 1234 }, 1 + 4],
  ["one byte for true, false and null", { a: true, b: null }, 2 + 2],
  ["three bytes for a list, and one more per element", { l: ["ab", "c"] }, 1 + 3 + (1 + 2) + (1 + 1)],
  ["three bytes for a map, and one more per entry", { m: { ab: "c" } }, 1 + 3 + 1 + 2 + 1],
  ["the bytes of binary data", { b: new Uint8Array(10) }, 1 + 10],
  ["nothing for undefined", { a: undefined }, 0],
])("an item's size counts %s", (_, item, bytes) => {
  expect(itemSize(item)).toBe(bytes);
});
