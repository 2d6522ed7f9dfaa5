import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { ApiError, FieldError } from "../../../lib/domain/errors.ts";
import { type RawRequest, RequestTarget } from "../../../lib/http/request.ts";
import { response, routeBuilder } from "../../../lib/http/route.ts";
import { validate } from "../../../lib/http/validation.ts";
import { textParameter } from "../../../lib/validators/parameter.ts";

const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" })("POST /lists", {
  operationId: "test",
  summary: "Take a list",
  description: "For the tests.",
  request: {
    query: z.object({
      colour: textParameter(z.enum(["red", "green"]), "A colour"),
      sizes: z.optional(z.array(z.enum(["small", "large"]))),
    }),
    body: z.array(z.string()),
  },
  responses: { 204: z.undefined() },
  handle: async () => response(204),
});

function requestWith(search: string, body: unknown): RawRequest {
  return {
    id: "",
    time: new Date(0),
    method: "POST",
    path: "/lists",
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    origin: "https://api.example.com",
    target: new RequestTarget("/lists", new URLSearchParams(search)),
    rawQuery: search,
    address: "",
  };
}

function errorsOf(search: string, body: unknown): readonly FieldError[] {
  try {
    validate(route, {}, requestWith(search, body));
  } catch (error) {
    return (error as ApiError).details;
  }
  return [];
}

describe("validation", () => {
  it("distinguishes a missing value from an invalid one", () => {
    expect(errorsOf("", [])).toEqual([{ field: "query.colour", message: "Required", type: "missing" }]);
    expect(errorsOf("colour=blue", [])).toEqual([
      { field: "query.colour", message: "Must be one of: red, green", type: "invalid_value" },
    ]);
    expect(errorsOf("colour=red", [])).toEqual([]);
  });

  it("returns the target with the declared query parameters only", () => {
    const { target } = validate(route, {}, requestWith("colour=a?b&password=x&q=?&colour=red", []));

    expect(target.with({})).toBe("/lists?colour=a%3Fb&colour=red");
  });

  it("reports the first hundred errors, and how many more", () => {
    const errors = errorsOf("", new Array(100_000).fill(0));

    expect(errors).toHaveLength(101);
    expect(errors.slice(0, 3).map(({ field }) => field)).toEqual(["query.colour", "body.0", "body.1"]);
    expect(errors.at(-2)?.field).toBe("body.98");
    expect(errors.at(-1)).toEqual({
      field: "body",
      message: "99901 more errors are not listed",
      type: "invalid_value",
    });
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
