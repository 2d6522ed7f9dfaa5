import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { integer } from "../../../lib/validators/integer.ts";
import {
  booleanParameter,
  integerParameter,
  listParameter,
  numberParameter,
  recordId,
  textParameter,
} from "../../../lib/validators/parameter.ts";

function issueCode(schema: z.ZodMiniType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.code;
}

describe("an integer", () => {
  const schema = integerParameter(z.int(), "An integer");

  it.each([0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])("can be %i", (number) => {
    expect(schema.parse([String(number)])).toBe(number);
  });

  it.each(["9007199254740992", "+1", "1.0", "1e3", "0x10", " 1", "١", "", "-", "x"])(
    "cannot be %j",
    (text) => {
      expect(issueCode(schema, [text])).toBe("invalid_type");
    },
  );

  it("is the last of several values", () => {
    expect(schema.parse(["x", "1", "2"])).toBe(2);
    expect(issueCode(schema, ["1", "x"])).toBe("invalid_type");
  });

  it("keeps its bounds and its default", () => {
    const page = integerParameter(z._default(integer({ min: 1, max: 3 }), 2), "A page");
    expect(page.parse(undefined)).toBe(2);
    expect(page.parse(["3"])).toBe(3);
    expect(issueCode(page, ["0"])).toBe("too_small");
    expect(issueCode(page, ["4"])).toBe("too_big");
  });
});

it("a record id is 0 if the text is no integer", () => {
  expect(["7", "-3", "abc", "1.5", ""].map((text) => recordId("An id").parse(text))).toEqual([
    7, -3, 0, 0, 0,
  ]);
});

describe("a number", () => {
  it.each([
    ["1.50", 1.5],
    ["1e-7", 1e-7],
    ["1.5E+21", 1.5e21],
    ["-1e3", -1_000],
  ])("is parsed from %s", (text, number) => {
    expect(numberParameter(z.number(), "A number").parse([text])).toBe(number);
  });
  it.each(["1,5", ".5", "1.", "NaN", "Infinity", "1e", "e3", "1e1.5", "1 e3", "1e400", "9".repeat(400), ""])(
    "is not parsed from %s",
    (text) => {
      expect(issueCode(numberParameter(z.number(), "A number"), [text])).toBe("invalid_type");
    },
  );
});

describe("a boolean", () => {
  it.each([
    ["true", true],
    ["True", true],
    ["FALSE", false],
    ["0", false],
  ])("is parsed from %s", (text, value) => {
    expect(booleanParameter(z.boolean(), "A boolean").parse([text])).toBe(value);
  });
  it.each(["yes", "tru", "", "constructor"])("is not parsed from %s", (text) => {
    expect(issueCode(booleanParameter(z.boolean(), "A boolean"), [text])).toBe("invalid_type");
  });
});

it("a text and a list are the last value, and all values", () => {
  expect(textParameter(z.string(), "A text").parse(["a", "b"])).toBe("b");
  expect(listParameter(z.array(z.string()), "A list").parse(["a,b", "c"])).toEqual(["a", "b", "c"]);
  expect(listParameter(z._default(z.array(z.string()), ["x"]), "A list").parse(undefined)).toEqual(["x"]);
});
