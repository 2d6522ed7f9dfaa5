import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { allRoutes } from "../../../functions/definitions.ts";
import { ApiError, type FieldError } from "../../../lib/domain/errors.ts";
import { fieldError, messageOf } from "../../../lib/http/field-errors.ts";
import { type RawRequest, readEvent } from "../../../lib/http/request.ts";
import type { Route } from "../../../lib/http/route.ts";
import { validate } from "../../../lib/http/validation.ts";
import { booleanParameter, integerParameter, numberParameter } from "../../../lib/validators/parameter.ts";
import { boundedArray } from "../../../lib/validators/preprocess.ts";
import { text } from "../../../lib/validators/text.ts";
import { scaled } from "../../support/effort.ts";

function errorsOf(schema: z.ZodMiniType, value: unknown): FieldError[] {
  const { error } = schema.safeParse(value, { reportInput: true, error: messageOf });
  return error?.issues.map((issue) => fieldError("body", issue)) ?? [];
}

const integerText = integerParameter(z.int(), "For the tests");
const numberText = numberParameter(z.number(), "For the tests");
const booleanText = booleanParameter(z.boolean(), "For the tests");
const short = z.refine(() => false, { error: "Must be short", params: { type: "too_big" } });

describe("a field error", () => {
  it.each<[z.ZodMiniType, unknown, string, FieldError["type"]]>([
    [z.string(), 1, "Must be a string", "invalid_type"],
    [z.number(), "1", "Must be a number", "invalid_type"],
    [z.int(), 1.5, "Must be an integer", "invalid_type"],
    [z.boolean(), "yes", "Must be true or false", "invalid_type"],
    [z.array(z.string()), {}, "Must be an array", "invalid_type"],
    [z.object({}), [], "Must be an object", "invalid_type"],
    [z.object({}), null, "Must be an object", "invalid_type"],
    [z.date(), 1, "Must be of another type", "invalid_type"],
    [z.enum(["asc", "desc"]), "up", "Must be one of: asc, desc", "invalid_value"],
    [z.literal("1.0"), "2.0", "Must be 1.0", "invalid_value"],
    [z.iso.datetime(), "today", "Has an invalid format", "invalid_format"],
    [z.string().check(z.maxLength(3)), "abcd", "Must have at most 3 characters", "too_big"],
    [text({ min: 1 }), "", "Must not be empty", "too_small"],
    [text({ min: 3 }), "ab", "Must have at least 3 characters", "too_small"],
    [text({ max: 3 }), "abcd", "Must have at most 3 characters", "too_big"],
    [text({ max: 1 }), "ab", "Must have at most 1 character", "too_big"],
    [boundedArray(z.int(), { max: 1 }), ["a", "b"], "Must have at most 1 entry", "too_big"],
    [text(), "\ud800", "Must be valid Unicode text", "invalid_format"],
    [z.array(z.int()).check(z.minLength(1)), [], "Must not be empty", "too_small"],
    [z.array(z.int()).check(z.minLength(2)), [1], "Must have at least 2 entries", "too_small"],
    [boundedArray(z.int(), { max: 2 }), [1, 2, 3], "Must have at most 2 entries", "too_big"],
    [z.number().check(z.gte(5)), 4, "Must be at least 5", "too_small"],
    [z.number().check(z.lte(5)), 6, "Must be at most 5", "too_big"],
    [z.number().check(z.gt(0)), 0, "Must be greater than 0", "too_small"],
    [z.number().check(z.lt(0)), 0, "Must be less than 0", "too_big"],
    [z.int(), 2 ** 60, "Must be at most 9007199254740991", "too_big"],
    [z.union([z.string(), z.int()]), true, "Has an invalid value", "invalid_value"],
    [z.string().check(z.refine(() => false)), "x", "Has an invalid value", "invalid_value"],
    [z.string().check(short), "x", "Must be short", "too_big"],
    [integerText, ["x"], "Must be an integer within ±(2^53 - 1), such as 10", "invalid_type"],
    [numberText, ["x"], "Must be a decimal number, such as 10, 9.95 or 1e-7", "invalid_type"],
    [booleanText, ["x"], "Must be true, false, 1 or 0", "invalid_type"],
  ])("%# says what to send", (schema, value, message, type) => {
    expect(errorsOf(schema, value)).toEqual([{ field: "body", message, type }]);
  });

  it.each([
    [z.object({ name: z.string() }), {}, "body.name", "Required"],
    [z.object({ name: integerText }), {}, "body.name", "Required"],
    [z.object({}), undefined, "body", "A JSON body is required"],
  ])("asks for what is missing (%#)", (schema, value, field, message) => {
    expect(errorsOf(schema, value)).toEqual([{ field, message, type: "missing" }]);
  });
});

describe("the messages of every route", () => {
  const routes = allRoutes.map((route) => [route.key, route] as const);
  const ZOD_WORDING = /expected|received|invalid input|too small|too big|unrecognized|>=|<=|NaN/i;
  /** In every text that is sent, and in no message. */
  const MARK = "\u2603";
  const odd = [null, true, -1, 1.5, 2 ** 60, "", [], {}, [null], [{}], { [MARK]: MARK }, `${MARK}\ud800`];
  const invalidValue = fc.oneof(
    fc.constantFrom(...odd),
    fc.string().map((part) => `${MARK}${part}`),
    fc.string({ minLength: 6_000, maxLength: 6_100 }).map((part) => MARK + part),
    fc.jsonValue().map((value) => [{ [MARK]: MARK }, value, MARK]),
  );

  /** An object with invalid values for some declared names. */
  function objectFor(schema: z.ZodMiniType | undefined, value: fc.Arbitrary<unknown>) {
    const names = Object.keys(schema instanceof z.ZodMiniObject ? schema.shape : {});
    return fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  }

  function bodyFor(schema: z.ZodMiniType | undefined): fc.Arbitrary<unknown> {
    const nested = objectFor(schema, invalidValue).map((fields) => ({ ...fields, [MARK]: MARK }));
    const element = schema instanceof z.ZodMiniArray ? (schema._zod.def.element as z.ZodMiniType) : schema;
    const one = objectFor(element, invalidValue);
    return fc.oneof(invalidValue, nested, one, fc.array(one, { minLength: 1, maxLength: 3 }));
  }

  function errorsFor(
    route: Route,
    path: Readonly<Record<string, string>>,
    { query = {}, ...request }: Partial<RawRequest> & { query?: Readonly<Record<string, string>> },
  ) {
    const rawQueryString = new URLSearchParams(query).toString();
    try {
      validate(route, path, { ...readEvent({ rawPath: route.pattern, rawQueryString }), ...request });
    } catch (error) {
      if (error instanceof ApiError) return error.details;
      throw error;
    }
    return [];
  }

  it.each(routes)("of %s are our own and never repeat what was sent", (_, route) => {
    const { path, query, headers, body } = route.request;
    const texts = [MARK, "", "0", "-1", "101", `${MARK}${"x".repeat(300)}`, `${MARK}\ud800`];
    const invalidText = fc.constantFrom(...texts);
    const requests = fc.record({
      path: fc.oneof(objectFor(path, fc.constant(MARK)), objectFor(path, fc.constant("0"))),
      query: objectFor(query, invalidText),
      headers: objectFor(headers, invalidText),
      key: fc.constantFrom(undefined, "", MARK),
      bytes: fc.oneof(
        bodyFor(body).map((value) => Buffer.from(JSON.stringify(value))),
        fc.constantFrom(undefined, Buffer.from(`{"${MARK}"`), Buffer.from([0xff])),
      ),
    });
    fc.assert(
      fc.property(requests, ({ path, query, headers, key, bytes }) => {
        const sent = { ...(headers as object), ...(key !== undefined && { "idempotency-key": key }) };
        const request = { headers: sent, body: bytes, query: query as Record<string, string> };
        const errors = errorsFor(route, path as Record<string, string>, request);
        for (const { field, message } of errors) {
          expect(message).toMatch(/^(Must|Has|May|Required|Invalid cursor|A JSON body)/);
          expect(message).not.toMatch(ZOD_WORDING);
          expect(field + message).not.toContain(MARK);
        }
      }),
      { numRuns: scaled(60) },
    );
  });

  it("are checked for most routes with an invalid request", () => {
    const query = { limit: "x", page: "0", size: "x", q: "" };
    const invalid = routes.filter(([, route]) => errorsFor(route, {}, { query }).length > 0);
    expect(invalid.length).toBeGreaterThan(routes.length / 2);
  });
});
