import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { ApiError, FieldError } from "../../../lib/domain/errors.ts";
import { readEvent } from "../../../lib/http/request.ts";
import { response } from "../../../lib/http/route.ts";
import { validate } from "../../../lib/http/validation.ts";
import { integerParameter, textParameter } from "../../../lib/validators/parameter.ts";
import { about, route } from "../../support/api/test-route.ts";

const taken = route("POST /lists/{id}", {
  ...about,
  request: {
    path: z.object({ id: integerParameter(z.int(), "An id") }),
    query: z.object({
      colour: textParameter(z.enum(["red", "green"]), "A colour"),
      sizes: z.optional(z.array(z.enum(["small", "large"]))),
    }),
    body: z.array(z.string()),
  },
  responses: { 204: z.undefined() },
  handle: async () => response(204),
});

function validated(rawQueryString: string, body: unknown, id = "1") {
  return validate(taken, { id }, readEvent({ rawQueryString, body: JSON.stringify(body) }));
}

function errorsOf(...request: Parameters<typeof validated>): readonly FieldError[] {
  try {
    validated(...request);
  } catch (error) {
    return (error as ApiError).details;
  }
  return [];
}

describe("validation", () => {
  it("returns the target with the declared query parameters only", () => {
    const { target } = validated("colour=a?b&password=x&q=?&colour=red", []);
    expect(target?.with({})).toBe("?colour=a%3Fb&colour=red");
  });

  it("reports the first hundred errors, and how many more", () => {
    const errors = errorsOf("", new Array(100_000).fill(0), "x");

    expect(errors).toHaveLength(101);
    expect(errors.slice(0, 3).map(({ field }) => field)).toEqual(["path.id", "query.colour", "body.0"]);
    expect(errors.at(-2)?.field).toBe("body.97");
    const message = "99902 more errors are not listed";
    expect(errors.at(-1)).toEqual({ field: "body", message, type: "invalid_value" });
  });

  it("reports no further errors after a part with more than a hundred", () => {
    const search = `colour=red&${"sizes=none&".repeat(150)}`;
    const errors = errorsOf(search, new Array(1_000).fill(0));

    expect(errors).toHaveLength(102);
    expect(errors.slice(-2).map(({ field, message }) => [field, message])).toEqual([
      ["query", "50 more errors are not listed"],
      ["body", "1000 more errors are not listed"],
    ]);
  });
});
