import type { APIGatewayProxyEventV2, Context } from "aws-lambda";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { ApiError } from "../../../lib/domain/errors.ts";
import { entityTag } from "../../../lib/http/etag.ts";
import { createHandler, useGuards } from "../../../lib/http/handler.ts";
import { isTooLarge, MAX_PAYLOAD_BYTES } from "../../../lib/http/response.ts";
import { type Access, created, type Route, response, routeBuilder } from "../../../lib/http/route.ts";
import { integerParameter } from "../../../lib/validators/parameter.ts";
import { about, emptyRoute, route } from "../../support/api/test-route.ts";

function eventOf(method: string, target: string, headers: object = { host: "api.example.com" }) {
  const [path = "", rawQueryString = ""] = target.split("?");
  const requestContext = { requestId: "request-1", http: { method } };
  return {
    rawPath: decodeURIComponent(path),
    rawQueryString,
    headers,
    requestContext,
  } as APIGatewayProxyEventV2;
}

const context = { functionName: "test", awsRequestId: "aws-1" } as Context;

async function send(routes: readonly Route<unknown>[], event: APIGatewayProxyEventV2) {
  const { statusCode, headers, body } = await createHandler(routes, () => () => ({}))(event, context);
  return { status: statusCode, headers, body: body === undefined ? undefined : JSON.parse(body) };
}

describe("an error", () => {
  const target = "/fail/%C3%A9%3F?a=%20b";
  const routesThrowing = (thrown: unknown) => [
    routeBuilder<unknown>({ tag: "test", errorFormat: "error" })("GET /fail/{id}", {
      ...about,
      responses: { 204: z.undefined() },
      handle: () => Promise.reject(thrown),
    }),
  ];

  it.each([new Error("secret cause"), undefined])("hides its cause if that is %s", async (thrown) => {
    const { status, body } = await send(routesThrowing(thrown), eventOf("GET", target));
    const path = `https://api.example.com${target}`;
    expect(status).toBe(500);
    expect(body).toEqual({ error: "InternalServerError", message: "An unexpected error occurred", path });
  });

  it("sends its headers and the request id, and keeps browsers on HTTPS except on a local run", async () => {
    const error = new ApiError("Unauthorized", "No", { headers: { "www-authenticate": "Bearer" } });
    const { headers } = await send(routesThrowing(error), eventOf("GET", target));
    expect(headers).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
      vary: "accept",
      "www-authenticate": "Bearer",
      "x-content-type-options": "nosniff",
      "strict-transport-security": "max-age=31536000",
      "x-request-id": "request-1",
    });
    const local = await send([], eventOf("GET", "/none", { "x-forwarded-proto": "http" }));
    expect(local.headers).not.toHaveProperty("strict-transport-security");
  });
});

it.each([
  ["%3F, which ends the path", "/echo/7", 204],
  ["%3F, which does not end the path", "/echo/7?x", 422],
  ["%2537, decoded once", "/echo/%37", 422],
  ["%25, decoded once", "/echo/%", 422],
])("a request can have a path with %s", async (_, rawPath, status) => {
  const path = z.object({ id: integerParameter(z.int(), "For the tests") });
  const taking = { ...emptyRoute("GET /echo/{id}"), request: { path } };
  expect(await send([taking], { ...eventOf("GET", "/"), rawPath })).toMatchObject({ status });
});

it("keeps responses to callers with a credential from being stored, errors too", async () => {
  const unauthorized = new ApiError("Unauthorized", "Unknown name");
  const guarded = route("GET /guarded", {
    ...about,
    authorizer: {
      scheme: "bearer",
      errors: { 401: { when: "No name", example: unauthorized } },
      authorize: async ({ name }) => {
        if (name !== "ada") throw unauthorized;
      },
    },
    responses: { 200: z.string() },
    handle: async () => response(200, "hello", { "cache-control": "max-age=60" }),
  });
  for (const name of ["ada", "eve"]) {
    const { headers } = await send([guarded], eventOf("GET", "/guarded", { name }));
    expect(headers).toMatchObject({ "cache-control": "no-store" });
  }
});

describe("a response beyond 6 MB", () => {
  const large = route("GET /large", {
    ...about,
    responses: { 200: z.string() },
    handle: async () => response(200, "x".repeat(12_400_000)),
  });

  it("is a 503, unless it is compressed", async () => {
    const { status, body } = await send([large], eventOf("GET", "/large"));
    expect([status, body]).toEqual([503, { detail: expect.stringMatching(/^The response would be larger/) }]);
    const event = eventOf("GET", "/large", { "accept-encoding": "br" });
    const compressed = await createHandler([large], () => () => ({}))(event, context);
    expect(compressed).toMatchObject({ statusCode: 200, isBase64Encoded: true });
  });

  it("is what has a byte more than Lambda accepts", () => {
    const room = MAX_PAYLOAD_BYTES - JSON.stringify({ statusCode: 200, body: "" }).length;
    const isRefused = (body: string) => isTooLarge({ statusCode: 200, body });
    expect(isRefused("x".repeat(room))).toBe(false);
    expect(isRefused("x".repeat(room + 1))).toBe(true);
    expect(isRefused("\u0001".repeat(room / 6))).toBe(false);
    expect(isRefused("\u0001".repeat(room / 6 + 1))).toBe(true);
  });
});

it("under an access rule, a handler gets the caller, and own dependencies if records have owners", async () => {
  const ada = { username: "ada", role: "staff" };
  const route = routeBuilder<string>({ tag: "test", errorFormat: "detail" })("GET /caller", {
    ...about,
    responses: { 200: z.array(z.string()) },
    handle: async ({ caller }, records) => {
      const seen = [String(caller?.username), String(caller?.role), records];
      return response(200, seen);
    },
  });

  async function handlerFor(access: Partial<Access> | undefined) {
    useGuards(() => access && { errors: {}, authorize: async () => ({ account: ada, ...access }) as Access });
    let created = 0;
    const handler = createHandler([route], () => (ownerOf) => {
      created += 1;
      return `${ownerOf("test")?.username}-${created}`;
    });
    useGuards(undefined);
    return async () => JSON.parse((await handler(eventOf("GET", "/caller"), context)).body ?? "");
  }

  const forOwner: Access["forOwner"] = (create) => create(() => ({ username: "ada", seesAll: false }));
  const owned = await handlerFor({ hasOwners: true, forOwner });
  for (const number of [1, 2]) expect(await owned()).toEqual(["ada", "staff", `ada-${number}`]);
  const shared = await handlerFor({ hasOwners: false });
  for (const _ of [1, 2]) expect(await shared()).toEqual(["ada", "staff", "undefined-1"]);
  const withoutRule = await handlerFor(undefined);
  expect(await withoutRule()).toEqual(["undefined", "undefined", "undefined-1"]);
});

it("serializes a record once, for the entity tag and the body", async () => {
  const toJSON = vi.fn(() => ({ id: 1 }));
  const record = { toJSON };
  const parts = { ...about, etag: entityTag };
  const creation = { record, replayed: false };
  const routes = [
    route("GET /r", { ...parts, responses: { 200: z.any() }, handle: async () => response(200, record) }),
    route("POST /r", { ...parts, responses: { 201: z.any() }, handle: async () => created(creation) }),
  ];
  for (const method of ["GET", "POST"]) {
    toJSON.mockClear();
    const { body, headers } = await send(routes, eventOf(method, "/r"));
    expect([body, headers?.etag]).toEqual([{ id: 1 }, `"${entityTag({ id: 1 })}"`]);
    expect(toJSON).toHaveBeenCalledOnce();
  }
});
