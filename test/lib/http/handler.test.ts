import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ApiError, type ErrorCode } from "../../../lib/domain/errors.ts";
import type { ErrorFormat } from "../../../lib/http/errors.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { type Route, response, routeBuilder } from "../../../lib/http/route.ts";
import { integerParameter } from "../../../lib/validators/parameter.ts";

function eventOf(method: string, target: string, more: Partial<APIGatewayProxyEventV2> = {}) {
  const [path = "", query = ""] = target.split("?");
  return {
    version: "2.0",
    routeKey: "unused",
    rawPath: decodeURIComponent(path),
    rawQueryString: query,
    headers: { host: "api.example.com", "x-forwarded-proto": "https" },
    isBase64Encoded: false,
    requestContext: { requestId: "request-1", domainName: "api.example.com", http: { method } },
    ...more,
  } as APIGatewayProxyEventV2;
}

const context = { functionName: "test", awsRequestId: "aws-1" } as Context;

async function ask(routes: readonly Route<unknown>[], event: APIGatewayProxyEventV2) {
  const { statusCode, headers, body } = await createHandler(routes, () => ({}))(event, context);
  return { status: statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}

function failing(errorFormat: ErrorFormat, thrown: unknown): Route<unknown>[] {
  const route = routeBuilder<unknown>({ tag: "test", errorFormat });
  return [
    route("GET /fail/{id}", {
      operationId: "test",
      summary: "Fail",
      description: "For the tests.",
      responses: { 204: z.undefined() },
      handle: async () => {
        throw thrown;
      },
    }),
  ];
}

describe("a failure", () => {
  const url = "https://api.example.com/fail/%C3%A9%3F?a=%20b";
  const event = eventOf("GET", "/fail/%C3%A9%3F?a=%20b");

  it.each([
    ["error", "NotFound", 404, { error: "Gone" }],
    ["detail", "NotFound", 404, { detail: "Gone" }],
    ["structured", "NotFound", 404, { error: "NotFound", message: "Gone", path: url }],
    ["error", "InvalidArgument", 400, { error: "Gone" }],
    ["detail", "Unauthorized", 401, { detail: "Gone" }],
    ["detail", "Forbidden", 403, { detail: "Gone" }],
    ["error", "ServiceUnavailable", 503, { error: "Gone" }],
    ["structured", "ServiceUnavailable", 503, { error: "ServiceUnavailable", message: "Gone", path: url }],
    ["detail", "TooManyRequests", 429, { detail: "Gone" }],
  ] as const)("in the %s errorFormat words %s", async (errorFormat, code, status, body) => {
    expect(await ask(failing(errorFormat, new ApiError(code, "Gone")), event)).toMatchObject({
      status,
      body,
    });
  });

  it.each(["error", "detail", "structured"] as const)(
    "has one shape for duplicates in the %s errorFormat",
    async (errorFormat) => {
      const failure = new ApiError("Conflict", 'The username "ada" is taken', { field: "username" });
      expect(await ask(failing(errorFormat, failure), event)).toMatchObject({
        status: 409,
        body: { error: "Conflict", message: 'The username "ada" is taken', field: "username" },
      });
    },
  );

  it.each([new Error("secret cause"), "a thrown text", undefined, new TypeError("x")])(
    "that nobody expected is a 500 which says nothing of its cause (%s)",
    async (thrown) => {
      const response = await ask(failing("error", thrown), event);
      expect(response).toMatchObject({
        status: 500,
        body: { error: "InternalServerError", message: "An unexpected error occurred", path: url },
      });
    },
  );

  it("carries its headers beside the request id", async () => {
    const failure = new ApiError("Unauthorized" satisfies ErrorCode, "No", {
      headers: { "www-authenticate": "Bearer" },
    });
    const { headers } = await ask(failing("detail", failure), event);
    expect(headers).toEqual({
      "content-type": "application/json",
      "www-authenticate": "Bearer",
      "x-request-id": "request-1",
    });
  });
});

describe("a request", () => {
  const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });
  const echo = [
    route("POST /echo/{id}", {
      operationId: "test",
      summary: "Echo",
      description: "For the tests.",
      path: z.object({ id: integerParameter(z.int()) }),
      query: z.object({ size: integerParameter(z.int().min(1).default(5)) }),
      headers: z.object({ "x-name": z.string().optional() }),
      body: z.object({ name: z.string(), age: z.int().min(0) }),
      responses: { 201: z.unknown() },
      handle: async ({ path, query, headers, body }) => response(201, { path, query, headers, body }),
    }),
  ];
  const json = JSON.stringify({ name: "é", age: 1 });

  it("reaches the handler decoded and with its defaults", async () => {
    const event = eventOf("POST", "/echo/7", { body: json, headers: { "x-name": "n", other: "o" } });
    expect((await ask(echo, event)).body).toEqual({
      path: { id: 7 },
      query: { size: 5 },
      headers: { "x-name": "n" },
      body: { name: "é", age: 1 },
    });
  });

  it("may have its body in base64", async () => {
    const body = Buffer.from(json).toString("base64");
    const { status } = await ask(echo, eventOf("POST", "/echo/7", { body, isBase64Encoded: true }));
    expect(status).toBe(201);
  });

  it("hears of every mistake at once: path, query and body", async () => {
    const body = JSON.stringify({ name: 5, age: -1 });
    const response = await ask(echo, eventOf("POST", "/echo/x?size=0", { body }));
    expect(response.status).toBe(422);
    expect(response.body.details.map(({ field, type }: Record<string, string>) => [field, type])).toEqual([
      ["path.id", "invalid_type"],
      ["query.size", "too_small"],
      ["body.name", "invalid_type"],
      ["body.age", "too_small"],
    ]);
  });

  it.each([
    ["nothing", undefined, "missing"],
    ["an empty text", "", "missing"],
    ["half of it", '{"name"', "json_invalid"],
  ])("with %s as its body is refused", async (_, body, type) => {
    const response = await ask(echo, eventOf("POST", "/echo/1", body === undefined ? {} : { body }));
    expect(response.body.details).toEqual([{ field: "body", message: expect.any(String), type }]);
  });

  it("for an unknown path is a 404, for another method a 405", async () => {
    expect(await ask(echo, eventOf("GET", "/nothing"))).toMatchObject({
      status: 404,
      body: { detail: "Not Found" },
    });
    const response = await ask(echo, eventOf("GET", "/echo/1"));
    expect(response).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
    expect(response.headers).toMatchObject({ allow: "POST" });
  });
});

describe("an authorizer", () => {
  const route = routeBuilder<{ names: string[] }>({ tag: "test", errorFormat: "detail" });
  const stranger = new ApiError("Unauthorized", "Who?");
  const guarded = route("POST /guarded", {
    operationId: "test",
    summary: "Guarded",
    description: "For the tests.",
    authorizer: {
      scheme: "bearer",
      errors: { 401: { when: "No name", example: stranger } },
      authorize: async ({ name }, { names }) => {
        if (name === undefined || !names.includes(name)) throw stranger;
        return { name };
      },
    },
    body: z.object({}),
    responses: { 200: z.object({ hello: z.string() }) },
    handle: async ({ caller }) => response(200, { hello: caller.name }),
  });
  const handler = createHandler([guarded], () => ({ names: ["ada"] }));

  it("hands the caller to the handler", async () => {
    const { body } = await handler(
      eventOf("POST", "/guarded", { headers: { name: "ada" }, body: "{}" }),
      context,
    );
    expect(body).toBe('{"hello":"ada"}');
  });

  it("comes before the validation", async () => {
    const { statusCode } = await handler(eventOf("POST", "/guarded", { headers: { name: "eve" } }), context);
    expect(statusCode).toBe(401);
  });
});

describe("services", () => {
  it("are made once, and only when a handler needs them", async () => {
    let made = 0;
    const route = routeBuilder<number>({ tag: "test", errorFormat: "detail" });
    const handler = createHandler(
      [
        route("GET /made", {
          operationId: "test",
          summary: "Made",
          description: "For the tests.",
          query: z.object({ n: integerParameter(z.int()).optional() }),
          responses: { 200: z.int() },
          handle: async (_, services) => response(200, services),
        }),
      ],
      () => {
        made += 1;
        return made;
      },
    );
    await handler(eventOf("GET", "/nothing"), context);
    expect(made).toBe(0);
    await handler(eventOf("GET", "/made"), context);
    expect((await handler(eventOf("GET", "/made"), context)).body).toBe("1");
  });
});
