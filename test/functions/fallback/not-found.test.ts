import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createNotFoundHandler } from "../../../functions/fallback/not-found.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { response, routeBuilder } from "../../../lib/http/route.ts";
import { invoke } from "../../support/api/invoke.ts";
import { locationOf } from "../../support/api/links.ts";

const route = routeBuilder<unknown>({ tag: "test", errorFormat: "error" })("GET /notes/{id}", {
  operationId: "test",
  summary: "Get a note",
  description: "For the tests.",
  responses: { 204: z.undefined() },
  handle: async () => response(204),
});
const login = routeBuilder<unknown>({ tag: "test", errorFormat: "error" })("POST /login", {
  operationId: "test",
  summary: "Log in",
  description: "For the tests.",
  secretQuery: true,
  responses: { 204: z.undefined() },
  handle: async () => response(204),
});
const change = { ...login, key: "PUT /own", method: "PUT", pattern: "/own", secretQuery: undefined } as const;
const handler = createHandler(
  [],
  () => () => ({ keys: async () => ["right"] }),
  createNotFoundHandler([
    { ...route, prefix: "/api" },
    login,
    { ...change, secretFields: ["password"] } as never,
  ]),
);

async function send(method: string, target: string, requestHeaders: Readonly<Record<string, string>> = {}) {
  const request = { method, target, headers: requestHeaders };
  const response = await invoke(handler, request, "GET /{proxy+}");
  return [response.status, locationOf({ ...response, target }) || response.headers.get("allow")];
}

describe("the not-found handler", () => {
  it.each([
    ["GET", "/notes/7/", [308, "/notes/7"]],
    ["GET", "/notes/%C3%A9/?a=/&b=%20", [308, "/notes/%C3%A9?a=/&b=%20"]],
    ["POST", "/login/", [308, "/login"]],
    ["POST", "/login/?password=x?/&q=/", [308, "/login"]],
    ["PUT", "/own/?password=x", [308, "/own"]],
    ["POST", "/notes/7/", [405, "GET, HEAD, OPTIONS"]],
    ["HEAD", "/notes/7/", [308, "/notes/7"]],
    ["HEAD", "/login", [405, "OPTIONS, POST"]],
    ["OPTIONS", "/notes/7/", [204, "GET, HEAD, OPTIONS"]],
    ["OPTIONS", "/login", [204, "OPTIONS, POST"]],
    ["OPTIONS", "/nothing", [404, null]],
    ["OPTIONS", "/api/nothing", [404, null]],
    ["GET", "/apis", [404, null]],
    ["GET", "//evil.example/", [404, null]],
    ["GET", "/nothing/", [404, null]],
    // The gateway accepts 4 KB, of which each byte becomes three in a location.
    ["GET", `/notes/${"\\".repeat(4_000)}/`, [404, null]],
    ["GET", "/notes%2F7", [404, null]],
  ])("responds to %s %s", async (method, target, expected) => {
    expect(await send(method, target)).toEqual(expected);
  });

  it.each([
    ["GET", "/api"],
    ["GET", "/api/"],
    ["DELETE", "/api/?x=1"],
    ["POST", "/api///?x=1"],
    ["GET", "/api/%2F"],
    ["GET", "/api//evil.example/"],
  ])("asks for the key at %s %s before it responds that nothing is there", async (method, target) => {
    for (const key of ["", "wrong"]) expect(await send(method, target, { "x-api-key": key })).toEqual([401, null]);
    expect(await send(method, target, { "x-api-key": "right" })).toEqual([404, null]);
  });

  it("allows browsers to ask before a request to any path", async () => {
    const headers = { origin: "https://a.example", "access-control-request-method": "GET" };
    for (const target of ["/notes/7", "/nothing", "/api/nothing"])
      expect((await send("OPTIONS", target, headers))[0]).toBe(204);
  });

  it("sends errors below /api in the format of that area", async () => {
    const request = { method: "GET", target: "/api//", headers: {} };
    const { text } = await invoke(handler, request, "GET /{proxy+}");
    expect(JSON.parse(text)).toEqual({ error: "Missing or invalid X-API-Key header" });
  });
});
