import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nestingDepth, withMember } from "../../../functions/items/json-text.ts";

describe("the nesting depth", () => {
  it.each([
    ["1", 0],
    ['"[{\\"["', 0],
    ["{}", 1],
    ['{"a":{},"b":[],"c":{}}', 2],
    ['{"[[[":"]]]\\\\","b":[[[]]]}', 4],
    [" [ [ ] , [ [ ] ] ] ", 3],
  ])("of %s is %i", (json, depth) => {
    expect(nestingDepth(json)).toBe(depth);
  });

  it("does not overflow the stack", () => {
    expect(nestingDepth("[".repeat(1_000_000) + "]".repeat(1_000_000))).toBe(1_000_000);
  });
});

describe("adding a member to an object", () => {
  it.each([
    ["{}", '{"id":7}'],
    [" { } ", '{"id":7}'],
    ['{"a": 1.0,"a":1e400}', '{"id":7,"a": 1.0,"a":1e400}'],
    ['{"id":1,"b":2}', '{"id":7,"b":2}'],
    ['{"b":2, "id" : {"id":[1,2]} ,"id":3}', '{"id":7,"b":2}'],
    ['{"\\u0069d":1,"b":"\\","}', '{"id":7,"b":"\\","}'],
    ['{"x":{"id":1},"y":"id"}', '{"id":7,"x":{"id":1},"y":"id"}'],
    ['\n{"2":0,"1":0,"__proto__":{}}\n', '{"id":7,"2":0,"1":0,"__proto__":{}}'],
  ])("turns %j into %j", (json, expected) => {
    expect(withMember(json, "id", 7).text).toBe(expected);
  });

  it("changes nothing but that member", () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(objects, fc.string(), fc.nat(2), (object, name, indent) => {
        const { text } = withMember(JSON.stringify(object, null, indent), name, 7);
        const expected = { ...object, ...Object.fromEntries([[name, 7]]) };
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});
