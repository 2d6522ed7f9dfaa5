import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ApiError, validationError } from "../../../lib/domain/errors.ts";
import type { ErrorFormat } from "../../../lib/http/errors.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { inMediaType } from "../../../lib/http/media-types.ts";
import { response, routeBuilder } from "../../../lib/http/route.ts";
import { invoke } from "../../support/invoke.ts";

const plain = routeBuilder<unknown>({ tag: "test", errorFormat: "error" });
const strict = routeBuilder<unknown>({
  tag: "test",
  errorFormat: "error",
  onInvalid: ([{ field, message }]) => new ApiError("InvalidArgument", `${field}: ${message}`),
});

function ask(route: ReturnType<typeof plain>, body?: string) {
  const handler = createHandler([route], () => undefined);
  return invoke(handler, { method: "POST", target: "/x", headers: {}, ...(body && { body }) }, "POST /x");
}

function failing(failure: ApiError, declared?: ErrorFormat) {
  return plain("POST /x", {
    operationId: "test",
    summary: "Fail",
    description: "For the tests.",
    responses: { 204: z.undefined() },
    errors: { 404: { when: "Always", example: failure, ...(declared && { errorFormat: declared }) } },
    handle: async () => {
      throw failure;
    },
  });
}

describe("a failure", () => {
  it.each([
    [undefined, { error: "Gone" }],
    ["detail", { detail: "Gone" }],
    ["envelope", { success: false, data: null, error: "Gone" }],
    ["structured", { error: "NotFound", message: "Gone", path: "http://api.example.com/x" }],
  ] as const)("declared with the dialect %s is told in it", async (dialect, expected) => {
    const { status, text, headers } = await ask(failing(new ApiError("NotFound", "Gone"), dialect));

    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual(expected);
    expect(headers.get("content-type")).toBe("application/json");
  });

  it("can be declared without a body, and keeps its headers", async () => {
    const failure = new ApiError("NotFound", "Gone", { headers: { "x-why": "gone" } });
    const { status, text, headers } = await ask(failing(failure, "empty"));

    expect([status, text, headers.get("x-why")]).toEqual([404, "", "gone"]);
    expect(headers.get("x-request-id")).toMatch(/./);
  });

  it("of another status keeps the area's dialect", async () => {
    const { status, text } = await ask(failing(new ApiError("Forbidden", "No"), "empty"));

    expect([status, JSON.parse(text)]).toEqual([403, { error: "No" }]);
  });
});

describe("a request that is not valid", () => {
  const isZero = new ApiError("InvalidArgument", "b is 0");
  const route = strict("POST /x", {
    operationId: "test",
    summary: "Take a number",
    description: "For the tests.",
    body: z.object({ a: z.int(), b: z.int() }),
    responses: { 204: z.undefined() },
    errors: { 400: { when: "b is 0", example: isZero, errorFormat: "detail" } },
    handle: async ({ body }) => {
      if (body.b === 0) throw isZero;
      if (body.b === 1)
        throw validationError([{ field: "body", message: "It is too large to be stored", type: "too_big" }]);
      return response(204);
    },
  });

  it.each([
    ["before the handler", '{"b":"x"}', { error: "body.a: Required" }],
    ["in the handler", '{"a":1,"b":1}', { error: "body: It is too large to be stored" }],
    ["by its body", "{", { error: "body: The body is not valid JSON" }],
  ])("is told as the area wishes when it fails %s", async (_, body, expected) => {
    const { status, text } = await ask(route, body);

    expect([status, JSON.parse(text)]).toEqual([400, expected]);
  });

  it("is told apart from a declared failure of the same status", async () => {
    const { status, text } = await ask(route, '{"a":1,"b":0}');

    expect([status, JSON.parse(text)]).toEqual([400, { detail: "b is 0" }]);
  });
});

describe("an answer", () => {
  it("is text where its declaration says so", async () => {
    const route = plain("POST /x", {
      operationId: "test",
      summary: "Say hello",
      description: "For the tests.",
      responses: { 200: inMediaType("text/plain; charset=utf-8", z.string()) },
      handle: async () => response(200, 'Hello "é"'),
    });
    const { text, headers } = await ask(route);

    expect(text).toBe('Hello "é"');
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  it("is JSON where it does not, a text as well", async () => {
    const route = plain("POST /x", {
      operationId: "test",
      summary: "Say hello",
      description: "For the tests.",
      responses: { 200: z.string() },
      handle: async () => response(200, "Hello"),
    });
    const { text, headers } = await ask(route);

    expect(text).toBe('"Hello"');
    expect(headers.get("content-type")).toBe("application/json");
  });
});
