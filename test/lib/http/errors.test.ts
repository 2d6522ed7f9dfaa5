import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { ApiError, validationError } from "../../../lib/domain/errors.ts";
import type { ErrorFormat } from "../../../lib/http/errors.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { inMediaType, type Route, response, routeBuilder } from "../../../lib/http/route.ts";
import { invoke } from "../../support/api/invoke.ts";

const about = { operationId: "test", summary: "Test", description: "For the tests." };
const route = routeBuilder<unknown>({ tag: "test", errorFormat: "error" });
const routeWithOnInvalid = routeBuilder<unknown>({
  tag: "test",
  errorFormat: "error",
  onInvalid: ([{ field, message }]) => new ApiError("InvalidArgument", `${field}: ${message}`),
});

function post(declared: Route<unknown>, body?: string) {
  const handler = createHandler([declared], () => undefined);
  return invoke(handler, { method: "POST", target: "/x", headers: {}, ...(body && { body }) }, "POST /x");
}

function routeThrowing(error: ApiError, errorFormat?: ErrorFormat) {
  return route("POST /x", {
    ...about,
    responses: { 204: z.undefined() },
    errors: { 404: { when: "Always", example: error, ...(errorFormat && { errorFormat }) } },
    handle: async () => {
      throw error;
    },
  });
}

describe("an error", () => {
  it("has a name for the log, and neither details nor headers by default", () => {
    const error = new ApiError("NotFound", "Nothing here");
    expect(error).toMatchObject({ name: "ApiError", details: [], headers: {} });
    expect(error).not.toHaveProperty("cause");
  });

  it("can be declared without a body and keeps its headers", async () => {
    const error = new ApiError("NotFound", "Nothing here", { headers: { "x-why": "because" } });
    const { status, text, headers } = await post(routeThrowing(error, "empty"));

    expect([status, text, headers.get("x-why")]).toEqual([404, "", "because"]);
    const enveloped = await post(routeThrowing(error, "envelope"));
    expect(JSON.parse(enveloped.text)).toEqual({ success: false, data: null, error: "Nothing here" });
    expect(headers.get("x-request-id")).toMatch(/./);
  });

  it("with another status keeps the area's format", async () => {
    const { status, text } = await post(routeThrowing(new ApiError("Forbidden", "No"), "empty"));

    expect([status, JSON.parse(text)]).toEqual([403, { error: "No" }]);
  });
});

describe("a validation error", () => {
  const isZero = new ApiError("InvalidArgument", "b is 0");
  const validated = routeWithOnInvalid("POST /x", {
    ...about,
    request: { body: z.object({ a: z.int(), b: z.int() }) },
    responses: { 204: z.undefined() },
    errors: { 400: { when: "b is 0", example: isZero, errorFormat: "detail" } },
    handle: async ({ body }) => {
      if (body.b === 0) throw isZero;
      if (body.b === 1)
        throw validationError([{ field: "body", message: "Must be smaller", type: "too_big" }]);
      return response(204);
    },
  });

  it.each([
    ["of a field", '{"b":"x"}', { error: "body.a: Required" }],
    ["from the handler", '{"a":1,"b":1}', { error: "body: Must be smaller" }],
    ["of the body", "{", { error: "body: Must be valid JSON: it ends too early, at line 1, column 2" }],
  ])("%s is turned into the area's own error", async (_, body, expected) => {
    const { status, text } = await post(validated, body);

    expect([status, JSON.parse(text)]).toEqual([400, expected]);
  });

  it("differs from a declared error with the same status", async () => {
    const { status, text } = await post(validated, '{"a":1,"b":0}');

    expect([status, JSON.parse(text)]).toEqual([400, { detail: "b is 0" }]);
  });
});

describe("a response", () => {
  it("is text if it is declared as text", async () => {
    const greeting = route("POST /x", {
      ...about,
      responses: { 200: inMediaType("text/plain; charset=utf-8", z.string()) },
      handle: async () => response(200, 'Hello "é"'),
    });
    const { text, headers } = await post(greeting);

    expect(text).toBe('Hello "é"');
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  it("is JSON by default, even if it is a string", async () => {
    const greeting = route("POST /x", {
      ...about,
      responses: { 200: z.string() },
      handle: async () => response(200, "Hello"),
    });
    const { text, headers } = await post(greeting);

    expect(text).toBe('"Hello"');
    expect(headers.get("content-type")).toBe("application/json");
  });
});
