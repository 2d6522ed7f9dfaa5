import { marshall } from "@aws-sdk/util-dynamodb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromRawItem, toRawInput, toRawItem } from "../../../lib/dynamodb/attribute-values.ts";
import { scaled } from "../../support/effort.ts";

describe("an item", () => {
  it("of JavaScript values becomes DynamoDB's JSON without what is undefined, and keeps a set", () => {
    // A record's schema refuses it.
    expect(fromRawItem({ set: { SS: ["a"] } })).toEqual({ set: { SS: ["a"] } });
    const item = { list: [undefined, -0], map: { none: undefined }, none: undefined };
    expect(toRawItem(item)).toEqual({ list: { L: [{ N: "0" }] }, map: { M: {} } });
  });

  it("becomes what the SDK makes of it, and the same values again", () => {
    const name = fc.string().map((text) => `:${text}`);
    const number = fc.double({ noNaN: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string({ unit: "binary" }),
        // There is only one zero.
        fc.oneof(number, fc.maxSafeInteger()).map((each) => each + 0),
        fc.oneof(fc.bigInt(2n ** 53n, 10n ** 37n), fc.bigInt(-(10n ** 37n), -(2n ** 53n))),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value")),
        fc.dictionary(name, tie("value")),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value), (item) => {
        const stored = toRawItem(item);
        expect(stored).toEqual(marshall(item));
        expect(fromRawItem(stored)).toEqual(item);
      }),
      { numRuns: scaled(100) },
    );
  });

  const others = [Number.NaN, 2 ** 53, new Date(0), new Set(["a"]), Buffer.of(1), () => 1];
  it.each(others)("with %s is refused", (value) => {
    expect(() => toRawItem({ list: [{ value }] })).toThrow(TypeError);
  });
});

describe("the input of a call", () => {
  const input = { TableName: "t", ReturnValues: "ALL_NEW" };

  it.each(["Key", "Item", "ExpressionAttributeValues"])("has its %s in DynamoDB's JSON", (name) => {
    const other = { ...input, ExpressionAttributeNames: { "#a": "a" } };
    const raw = { ...other, [name]: { ":a": { N: "1" } } };
    expect(toRawInput({ ...other, [name]: { ":a": 1 } })).toEqual(raw);
  });

  it("has no empty names and values, which DynamoDB refuses", () => {
    const names = { ExpressionAttributeNames: {}, ExpressionAttributeValues: { ":none": undefined } };
    expect(toRawInput({ ...input, ...names })).toEqual(input);
  });
});
