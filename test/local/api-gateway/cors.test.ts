import { describe, expect, it } from "vitest";
import { corsResponseHeaders, preflightHeaders, readPreflight } from "../../../local/api-gateway/cors.ts";
import type { CorsConfiguration } from "../../../local/stack/model.ts";

const anyone: CorsConfiguration = {
  allowOrigins: ["*"],
  allowMethods: ["GET", "PUT"],
  allowHeaders: ["content-type"],
  exposeHeaders: [],
  allowCredentials: false,
};

const named: CorsConfiguration = {
  ...anyone,
  allowOrigins: ["https://app.example"],
  exposeHeaders: ["x-request-id", "location"],
  allowCredentials: true,
  maxAgeSeconds: 60,
};

describe("a preflight", () => {
  it("is an OPTIONS request with an origin and a requested method", () => {
    const headers = { origin: "https://a.example", "access-control-request-method": "PUT" };
    expect(readPreflight("OPTIONS", headers)).toEqual({ origin: "https://a.example", method: "PUT" });
    expect(readPreflight("GET", headers)).toBeUndefined();
    expect(readPreflight("OPTIONS", { origin: "https://a.example" })).toBeUndefined();
  });

  it("gets the configured headers", () => {
    expect(preflightHeaders(anyone, { origin: "https://a.example", method: "PUT" })).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET,PUT",
      "access-control-allow-headers": "content-type",
    });
    expect(preflightHeaders(named, { origin: "https://app.example", method: "GET" })).toEqual({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET,PUT",
      "access-control-allow-headers": "content-type",
      "access-control-max-age": "60",
    });
  });

  it.each([
    ["method", anyone, { origin: "https://a.example", method: "DELETE" }],
    ["origin", named, { origin: "https://other.example", method: "GET" }],
  ])("gets no headers for a %s that is not allowed", (_, cors, preflight) => {
    expect(preflightHeaders(cors, preflight)).toEqual({});
  });
});

describe("a response", () => {
  it("names the origin and the exposed headers only if the origin is allowed", () => {
    expect(corsResponseHeaders(named, "https://app.example")).toEqual({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-request-id,location",
    });
    expect(corsResponseHeaders(named, "https://other.example")).toEqual({});
    expect(corsResponseHeaders(named, undefined)).toEqual({});
  });

  it("allows a scheme with any host", () => {
    const cors = { ...anyone, allowOrigins: ["https://*"] };
    expect(corsResponseHeaders(cors, "https://a.example")).toEqual({
      "access-control-allow-origin": "https://a.example",
    });
    expect(corsResponseHeaders(cors, "http://a.example")).toEqual({});
  });
});
