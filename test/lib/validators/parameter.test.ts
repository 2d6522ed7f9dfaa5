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

const anInteger = integerParameter(z.int(), "An integer");

describe.each<[string, z.ZodMiniType, Readonly<Record<string, unknown>>, readonly string[]]>([
  [
    "an integer",
    anInteger,
    { "0": 0, "-1": -1, "9007199254740991": 2 ** 53 - 1, "-9007199254740991": 1 - 2 ** 53 },
    ["9007199254740992", "+1", "1.0", "1e3", "0x10", " 1", "١", "", "-", "x"],
  ],
  [
    "a number",
    numberParameter(z.number(), "A number"),
    { "1.50": 1.5, "1e-7": 1e-7, "1.5E+21": 1.5e21, "-1e3": -1_000 },
    ["1,5", ".5", "1.", "NaN", "Infinity", "1e", "e3", "1e1.5", "1 e3", "1e400", "9".repeat(400), ""],
  ],
  [
    "a boolean",
    booleanParameter(z.boolean(), "A boolean"),
    { true: true, True: true, FALSE: false, "0": false },
    ["yes", "tru", "", "constructor"],
  ],
])("%s", (_, schema, values, invalid) => {
  it.each(Object.entries(values))("is parsed from %j: %s", (text, value) => {
    expect(schema.parse([text])).toBe(value);
  });

  it.each(invalid)("is not parsed from %j", (text) => {
    expect(issueCode(schema, [text])).toBe("invalid_type");
  });
});

it("an integer is the last of several values, and keeps its bounds and its default", () => {
  expect(anInteger.parse(["x", "1", "2"])).toBe(2);
  expect(issueCode(anInteger, ["1", "x"])).toBe("invalid_type");
  const page = integerParameter(z._default(integer({ min: 1, max: 3 }), 2), "A page");
  expect([page.parse(undefined), page.parse(["3"])]).toEqual([2, 3]);
  expect([issueCode(page, ["0"]), issueCode(page, ["4"])]).toEqual(["too_small", "too_big"]);
});

it("a record id is 0 if the text is no integer", () => {
  const ids = ["7", "-3", "abc", "1.5", ""].map((text) => recordId("An id").parse(text));
  expect(ids).toEqual([7, -3, 0, 0, 0]);
});

it("a text and a list are the last value, and all values", () => {
  expect(textParameter(z.string(), "A text").parse(["a", "b"])).toBe("b");
  expect(listParameter(z.array(z.string()), "A list").parse(["a,b", "c"])).toEqual(["a", "b", "c"]);
  expect(listParameter(z._default(z.array(z.string()), ["x"]), "A list").parse(undefined)).toEqual(["x"]);
});
