import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { ApiError, type ErrorCode } from "../../../lib/domain/errors.ts";
import type { ErrorFormat } from "../../../lib/http/errors.ts";
import { entityTag } from "../../../lib/http/etag.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { isTooLarge, MAX_PAYLOAD_BYTES } from "../../../lib/http/response.ts";
import { created, type Route, response, routeBuilder } from "../../../lib/http/route.ts";
import { integer } from "../../../lib/validators/integer.ts";
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

const about = { operationId: "test", summary: "Test", description: "For the tests." };
const context = { functionName: "test", awsRequestId: "aws-1" } as Context;

async function send(routes: readonly Route<unknown>[], event: APIGatewayProxyEventV2) {
  const { statusCode, headers, body } = await createHandler(routes, () => ({}))(event, context);
  return { status: statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}

function routesThrowing(errorFormat: ErrorFormat, thrown: unknown): Route<unknown>[] {
  const route = routeBuilder<unknown>({ tag: "test", errorFormat });
  return [
    route("GET /fail/{id}", {
      ...about,
      responses: { 204: z.undefined() },
      handle: async () => {
        throw thrown;
      },
    }),
  ];
}

describe("an error", () => {
  const url = "https://api.example.com/fail/%C3%A9%3F?a=%20b";
  const event = eventOf("GET", "/fail/%C3%A9%3F?a=%20b");

  it.each([
    ["error", "NotFound", 404, { error: "Nothing here" }],
    ["detail", "NotFound", 404, { detail: "Nothing here" }],
    ["structured", "NotFound", 404, { error: "NotFound", message: "Nothing here", path: url }],
    ["error", "ServiceUnavailable", 503, { error: "Nothing here" }],
  ] as const)("in the format %s with the code %s", async (errorFormat, code, status, body) => {
    expect(await send(routesThrowing(errorFormat, new ApiError(code, "Nothing here")), event)).toMatchObject({
      status,
      body,
    });
  });

  it.each(["error", "detail", "structured"] as const)(
    "has the same body for a conflict in the format %s",
    async (errorFormat) => {
      const error = new ApiError("Conflict", 'The username "ada" is taken', { field: "username" });
      expect(await send(routesThrowing(errorFormat, error), event)).toMatchObject({
        status: 409,
        body: { error: "Conflict", message: 'The username "ada" is taken', field: "username" },
      });
    },
  );

  it.each([new Error("secret cause"), "a thrown text", undefined, new TypeError("x")])(
    "that is unexpected is a 500 that hides its cause (%s)",
    async (thrown) => {
      const response = await send(routesThrowing("error", thrown), event);
      expect(response).toMatchObject({
        status: 500,
        body: { error: "InternalServerError", message: "An unexpected error occurred", path: url },
      });
    },
  );

  it("sends its headers and the request id", async () => {
    const error = new ApiError("Unauthorized" satisfies ErrorCode, "No", {
      headers: { "www-authenticate": "Bearer" },
    });
    const { headers } = await send(routesThrowing("detail", error), event);
    expect(headers).toEqual({
      "content-type": "application/json",
      vary: "accept",
      "www-authenticate": "Bearer",
      "x-content-type-options": "nosniff",
      "strict-transport-security": "max-age=31536000",
      "x-request-id": "request-1",
    });
  });
});

describe("a response", () => {
  it("keeps browsers on HTTPS, but not on a local run", async () => {
    const headers = { host: "localhost:8080", "x-forwarded-proto": "http" };
    const local = await send([], eventOf("GET", "/none", { headers }));
    expect(local.headers).not.toHaveProperty("strict-transport-security");

    const deployed = await send([], eventOf("GET", "/none"));
    expect(deployed.headers).toMatchObject({ "strict-transport-security": "max-age=31536000" });
  });
});

describe("a request", () => {
  const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });
  const echo = [
    route("POST /echo/{id}", {
      ...about,
      request: {
        path: z.object({ id: integerParameter(z.int(), "For the tests") }),
        query: z.object({ size: integerParameter(z._default(integer({ min: 1 }), 5), "For the tests") }),
        headers: z.object({ "x-name": z.optional(z.string()) }),
        body: z.object({ name: z.string(), age: integer({ min: 0 }) }),
      },
      responses: { 200: z.unknown() },
      handle: async ({ path, query, headers, body }) => response(200, { path, query, headers, body }),
    }),
  ];
  const json = JSON.stringify({ name: "é", age: 1 });

  it("is decoded and has its defaults", async () => {
    const event = eventOf("POST", "/echo/7", { body: json, headers: { "x-name": "n", other: "o" } });
    expect((await send(echo, event)).body).toEqual({
      path: { id: 7 },
      query: { size: 5 },
      headers: { "x-name": "n" },
      body: { name: "é", age: 1 },
    });
  });

  it.each(["application/json", "application/problem+json", "text/plain"])(
    "has the same body of type %s, whether the gateway sends text or base64",
    async (type) => {
      const headers = { "content-type": type };
      const text = eventOf("POST", "/echo/7", { headers, body: json });
      const body = Buffer.from(json).toString("base64");
      const base64 = eventOf("POST", "/echo/7", { headers, body, isBase64Encoded: true });
      expect((await send(echo, text)).status).toBe(200);
      expect((await send(echo, base64)).body).toEqual((await send(echo, text)).body);
    },
  );

  it.each([
    ["%3F, which ends the path", "/echo/7", 200],
    ["%3F, which does not end the path", "/echo/7?x", 422],
    ["%2537, decoded twice", "/echo/7", 200],
    ["%2537, decoded once", "/echo/%37", 422],
    ["%2537, not decoded", "/echo/%2537", 422],
    ["%25, decoded once", "/echo/%", 422],
    ["%25, not decoded", "/echo/%25", 422],
  ])("can have a path with %s", async (_, rawPath, status) => {
    const event = eventOf("POST", "/", { rawPath, body: json });
    expect((await send(echo, event)).status).toBe(status);
  });

  it("gets every validation error at once: path, query and body", async () => {
    const body = JSON.stringify({ name: 5, age: -1 });
    const response = await send(echo, eventOf("POST", "/echo/x?size=0", { body }));
    expect(response.status).toBe(422);
    expect(response.body.details.map(({ field, type }: Record<string, string>) => [field, type])).toEqual([
      ["path.id", "invalid_type"],
      ["query.size", "too_small"],
      ["body.name", "invalid_type"],
      ["body.age", "too_small"],
    ]);
  });

  it.each([
    ["no body", undefined, "missing"],
    ["an empty body", "", "missing"],
    ["incomplete JSON", '{"name"', "json_invalid"],
  ])("with %s is invalid", async (_, body, type) => {
    const response = await send(echo, eventOf("POST", "/echo/1", body === undefined ? {} : { body }));
    expect(response.body.details).toEqual([{ field: "body", message: expect.any(String), type }]);
  });

  it("to an unknown path is a 404, with another method a 405", async () => {
    expect(await send(echo, eventOf("GET", "/nothing"))).toMatchObject({
      status: 404,
      body: { detail: "Not Found" },
    });
    const response = await send(echo, eventOf("GET", "/echo/1"));
    expect(response).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
    expect(response.headers).toMatchObject({ allow: "OPTIONS, POST" });
  });
});

describe("the response to a creation", () => {
  const Note = z.object({ id: z.int(), text: z.string() });
  const note = { id: 7, text: "x" };
  const route = routeBuilder<{ replayed: boolean }>({ tag: "test", errorFormat: "error" });
  const routes = [
    route("POST /notes", {
      ...about,
      responses: { 201: Note },
      etag: (record: { id: number }) => `tag-${record.id}`,
      location: ({ id }: { id: number }) => `/notes/${id}`,
      handle: async (_, { replayed }) => created({ record: note, replayed }),
    }),
    route("POST /drafts", {
      ...about,
      responses: { 201: z.object({ count: z.int() }) },
      handle: async (_, { replayed }) => created({ record: note, replayed }, { count: 1 }),
    }),
  ];
  const post = async (target: string, replayed: boolean) => {
    const { statusCode, headers, body } = await createHandler(routes, () => ({ replayed }))(
      eventOf("POST", target),
      context,
    );
    return { status: statusCode, headers, body: JSON.parse(body ?? "") };
  };

  it("has the address and the entity tag of the record", async () => {
    const { status, headers, body } = await post("/notes", false);

    expect([status, body]).toEqual([201, note]);
    expect(headers).toEqual({
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "strict-transport-security": "max-age=31536000",
      "x-request-id": "request-1",
      location: "/notes/7",
      etag: '"tag-7"',
    });
  });

  it("says so if an earlier request has created the record", async () => {
    const { status, headers, body } = await post("/notes", true);

    expect([status, body]).toEqual([201, note]);
    expect(headers).toMatchObject({
      location: "/notes/7",
      etag: '"tag-7"',
      "idempotency-replayed": "true",
    });
  });

  it("can have another body than the record, and only the declared headers", async () => {
    const first = await post("/drafts", false);
    const replay = await post("/drafts", true);

    expect([first.status, first.body]).toEqual([201, { count: 1 }]);
    expect(first.headers).toEqual({
      "content-type": "application/json",
      "x-content-type-options": "nosniff",
      "strict-transport-security": "max-age=31536000",
      "x-request-id": "request-1",
    });
    expect(replay.headers).toEqual({ ...first.headers, "idempotency-replayed": "true" });
  });
});

describe("an authorizer", () => {
  const route = routeBuilder<{ names: string[] }>({ tag: "test", errorFormat: "detail" });
  const unauthorized = new ApiError("Unauthorized", "Unknown name");
  const guarded = route("POST /guarded", {
    ...about,
    authorizer: {
      scheme: "bearer",
      errors: { 401: { when: "No name", example: unauthorized } },
      authorize: async ({ name }, { names }) => {
        if (name === undefined || !names.includes(name)) throw unauthorized;
        return { name };
      },
    },
    request: { body: z.object({}) },
    responses: { 200: z.object({ hello: z.string() }) },
    handle: async ({ caller }) => response(200, { hello: caller.name }),
  });
  const handler = createHandler([guarded], () => ({ names: ["ada"] }));

  it("passes the caller to the handler", async () => {
    const { body } = await handler(
      eventOf("POST", "/guarded", { headers: { name: "ada" }, body: "{}" }),
      context,
    );
    expect(body).toBe('{"hello":"ada"}');
  });

  it("keeps responses from being stored, errors too", async () => {
    for (const name of ["ada", "eve"]) {
      const event = eventOf("POST", "/guarded", { headers: { name }, body: "{}" });
      expect((await handler(event, context)).headers).toMatchObject({ "cache-control": "no-store" });
    }
  });

  it("runs before validation", async () => {
    const { statusCode } = await handler(eventOf("POST", "/guarded", { headers: { name: "eve" } }), context);
    expect(statusCode).toBe(401);
  });
});

describe("a response beyond 6 MB", () => {
  const respondWith = (body: string) => [
    routeBuilder<unknown>({ tag: "test", errorFormat: "detail" })("GET /large", {
      ...about,
      responses: { 200: z.object({ body: z.string() }) },
      handle: async () => response(200, { body }),
    }),
  ];
  const largest = "x".repeat(6_200_000);

  it("is a 503", async () => {
    const { status, body } = await send(respondWith(`${largest}${largest}`), eventOf("GET", "/large"));

    expect([status, body]).toEqual([503, { detail: expect.stringMatching(/^The response would be larger/) }]);
  });

  it("is measured with the escapes of its body", async () => {
    const sent = async (text: string) => (await send(respondWith(text), eventOf("GET", "/large"))).status;

    expect(await sent(largest)).toBe(200);
    // As JSON inside JSON, a quotation mark takes four bytes.
    expect(await sent('"'.repeat(1_500_000))).toBe(200);
    expect(await sent('"'.repeat(1_600_000))).toBe(503);
  });

  it("is what has a byte more than Lambda accepts", () => {
    const room = MAX_PAYLOAD_BYTES - JSON.stringify({ statusCode: 200, body: "" }).length;
    const isRefused = (body: string) => isTooLarge({ statusCode: 200, body });

    expect(isRefused("x".repeat(room))).toBe(false);
    expect(isRefused("x".repeat(room + 1))).toBe(true);
    expect(isRefused("\u0001".repeat(room / 6))).toBe(false);
    expect(isRefused("\u0001".repeat(room / 6 + 1))).toBe(true);
  });

  it("is sent if it is compressed", async () => {
    const headers = { host: "api.example.com", "accept-encoding": "br" };
    const event = eventOf("GET", "/large", { headers });
    const result = await createHandler(respondWith(`${largest}${largest}`), () => ({}))(event, context);

    expect([result.statusCode, result.isBase64Encoded]).toEqual([200, true]);
  });
});

describe("dependencies", () => {
  it("are created once, on the first request that needs them", async () => {
    let calls = 0;
    const route = routeBuilder<number>({ tag: "test", errorFormat: "detail" });
    const handler = createHandler(
      [
        route("GET /calls", {
          ...about,
          responses: { 200: z.int() },
          handle: async (_, dependencies) => response(200, dependencies),
        }),
      ],
      () => {
        calls += 1;
        return calls;
      },
    );
    await handler(eventOf("GET", "/nothing"), context);
    expect(calls).toBe(0);
    await handler(eventOf("GET", "/calls"), context);
    expect((await handler(eventOf("GET", "/calls"), context)).body).toBe("1");
  });
});

it("serializes a record once, for the entity tag and the body", async () => {
  let serialized = 0;
  const record = {
    toJSON: () => {
      serialized += 1;
      return { id: 1 };
    },
  };
  const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });
  const parts = { ...about, etag: entityTag };
  const routes = [
    route("GET /records", {
      ...parts,
      responses: { 200: z.any() },
      handle: async () => response(200, record),
    }),
    route("POST /records", {
      ...parts,
      responses: { 201: z.any() },
      handle: async () => created({ record, replayed: false }),
    }),
  ];
  for (const method of ["GET", "POST"]) {
    serialized = 0;
    const { body, headers } = await send(routes, eventOf(method, "/records"));
    expect([body, headers?.etag, serialized]).toEqual([{ id: 1 }, `"${entityTag({ id: 1 })}"`, 1]);
  }
});
