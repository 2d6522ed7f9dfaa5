import { describe, expect, it } from "vitest";
import { corsResponseHeaders, preflightHeaders } from "../../../local/api-gateway/cors.ts";
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
  it.each([
    ["method", anyone, "https://a.example", "DELETE"],
    ["origin", named, "https://other.example", "GET"],
  ])("gets no headers for a %s that is not allowed", (_, cors, origin, method) => {
    expect(preflightHeaders(cors, origin, method)).toEqual({});
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
