import { describe, expect, it } from "vitest";
import { createNotFoundHandler } from "../../../functions/fallback/not-found.ts";
import { createHandler } from "../../../lib/http/handler.ts";
import { invoke } from "../../support/api/invoke.ts";
import { locationOf } from "../../support/api/links.ts";
import { emptyRoute } from "../../support/api/test-route.ts";

const handler = createHandler(
  [],
  () => () => undefined,
  createNotFoundHandler([
    { ...emptyRoute("GET /notes/{id}"), errorFormat: "error", prefix: "/api" },
    { ...emptyRoute("POST /login"), secretQuery: true },
    { ...emptyRoute("PUT /own"), secretFields: ["password"] },
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
    ["POST", "/login/?password=x?/&q=/", [308, "/login"]],
    ["PUT", "/own/?password=x", [308, "/own"]],
    ["POST", "/notes/7/", [405, "GET, HEAD, OPTIONS"]],
    ["HEAD", "/login", [405, "OPTIONS, POST"]],
    ["OPTIONS", "/notes/7/", [204, "GET, HEAD, OPTIONS"]],
    ["OPTIONS", "/api/nothing", [404, null]],
    ["GET", "/apis", [404, null]],
    ["GET", "/API/nothing", [404, null]],
    ["GET", "//evil.example/", [404, null]],
    // The gateway accepts 4 KB, of which each byte becomes three in a location.
    ["GET", `/notes/${"\\".repeat(4_000)}/`, [404, null]],
    ["GET", "/notes%2F7", [404, null]],
  ])("responds to %s %s", async (method, target, expected) => {
    expect(await send(method, target)).toEqual(expected);
  });

  it.each([
    ["GET", "/api/", "/api"],
    ["POST", "/api///?x=1", "/api?x=1"],
    ["GET", "/api//evil.example/", "/api"],
  ])("asks for the key at %s %s, and leaves checking it to another function", async (method, target, to) => {
    expect(await send(method, target)).toEqual([401, null]);
    expect(await send(method, target, { "x-api-key": "" })).toEqual([401, null]);
    expect(await send(method, target, { "x-api-key": "any" })).toEqual([308, to]);
  });

  it("allows browsers to ask before a request to any path", async () => {
    const headers = { origin: "https://a.example", "access-control-request-method": "GET" };
    for (const target of ["/notes/7", "/nothing", "/api/nothing"])
      expect((await send("OPTIONS", target, headers))[0]).toBe(204);
  });
});
