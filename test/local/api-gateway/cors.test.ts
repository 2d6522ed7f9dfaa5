import { describe, expect, it } from "vitest";
import {
  corsResponseHeaders,
  explainRefusal,
  preflightHeaders,
  readPreflight,
} from "../../../local/api-gateway/cors.ts";
import type { CorsConfiguration } from "../../../local/stack/model.ts";

const anyone: CorsConfiguration = {
  AllowOrigins: ["*"],
  AllowMethods: ["GET", "PUT"],
  AllowHeaders: ["content-type"],
  MaxAge: 60,
};

const named: CorsConfiguration = {
  ...anyone,
  AllowOrigins: ["https://app.example"],
  ExposeHeaders: ["x-request-id", "location"],
};

describe("a preflight", () => {
  it("is an OPTIONS request with an origin and a requested method", () => {
    const headers = { origin: "https://a.example", "access-control-request-method": "PUT" };
    expect(readPreflight("OPTIONS", headers)).toEqual({
      origin: "https://a.example",
      method: "PUT",
      headers: [],
    });
    const requested = { ...headers, "access-control-request-headers": "Authorization, X-Key" };
    expect(readPreflight("OPTIONS", requested)?.headers).toEqual(["authorization", "x-key"]);
    expect(readPreflight("GET", headers)).toBeUndefined();
    expect(readPreflight("OPTIONS", { origin: "https://a.example" })).toBeUndefined();
  });

  it.each([
    ["method", anyone, { origin: "https://a.example", method: "DELETE", headers: [] }],
    ["origin", named, { origin: "https://other.example", method: "GET", headers: [] }],
  ])("gets no headers for a %s that is not allowed", (_, cors, preflight) => {
    expect(preflightHeaders(cors, preflight)).toEqual({});
  });

  it.each([
    ["origin", named, ["https://other.example", "GET"], /^A page of https:\/\/other.* CORS_ORIGINS\.$/],
    ["method", anyone, ["https://a.example", "PATCH"], /send PATCH: .*CORS_BROWSER_CLIENTS=1/],
    ["header", anyone, ["https://a.example", "GET", "authorization"], /send authorization: /],
    [
      "method and header",
      anyone,
      ["https://a.example", "PATCH", "content-type", "if-match"],
      /send PATCH, if-match: /,
    ],
    ["nothing", anyone, ["https://a.example", "PUT", "Content-Type"], /^$/],
  ] as const)("is explained if its %s is refused", (_, cors, [origin, method, ...headers], expected) => {
    expect(explainRefusal(cors, { origin, method, headers }) ?? "").toMatch(expected);
  });
});

it("a response names the origin and the exposed headers only if the origin is allowed", () => {
  expect(corsResponseHeaders(named, "https://app.example")).toEqual({
    "access-control-allow-origin": "https://app.example",
    vary: "origin",
    "access-control-expose-headers": "x-request-id,location",
  });
  expect(corsResponseHeaders(named, "https://other.example")).toBeUndefined();
  expect(corsResponseHeaders(named, undefined)).toBeUndefined();
});
