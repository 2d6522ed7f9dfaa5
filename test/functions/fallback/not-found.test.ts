import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createNotFoundHandler } from "../../../functions/fallback/not-found.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { response, routeBuilder } from "../../../lib/http/route.ts";
import { invoke } from "../../support/invoke.ts";

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
const handler = createHandler([], () => undefined, createNotFoundHandler([route, login], ["/api"]));

async function send(method: string, target: string) {
  const { status, headers } = await invoke(handler, { method, target, headers: {} }, "GET /{proxy+}");
  return [status, headers.get("location") ?? headers.get("allow")];
}

describe("the not-found handler", () => {
  it.each([
    ["GET", "/notes/7/", [308, "/notes/7"]],
    ["GET", "/notes/%C3%A9%3F/?a=/&b=%20", [308, "/notes/%C3%A9%3F?a=/&b=%20"]],
    ["POST", "/login/", [308, "/login"]],
    ["POST", "/login/?password=x?/&q=/", [308, "/login"]],
    ["GET", "/api/", [308, "/api"]],
    ["DELETE", "/api/?x=1", [308, "/api?x=1"]],
    ["POST", "/notes/7/", [405, "GET"]],
    ["GET", "/apis", [404, null]],
    ["GET", "/api//", [404, null]],
    ["GET", "//evil.example/", [404, null]],
    ["GET", "/nothing/", [404, null]],
  ])("responds to %s %s", async (method, target, expected) => {
    expect(await send(method, target)).toEqual(expected);
  });
});
