import { describe, expect, it } from "vitest";
import {
  type CorsRules,
  preflightHeaders,
  readPreflight,
  responseHeaders,
} from "../../../local/api-gateway/cors.ts";

const anyone: CorsRules = {
  allowOrigins: ["*"],
  allowMethods: ["GET", "PUT"],
  allowHeaders: ["content-type"],
  exposeHeaders: [],
  allowCredentials: false,
};

const named: CorsRules = {
  ...anyone,
  allowOrigins: ["https://app.example"],
  exposeHeaders: ["x-request-id", "location"],
  allowCredentials: true,
  maxAgeSeconds: 60,
};

describe("a preflight", () => {
  it("is an OPTIONS request with an origin and a method to ask about", () => {
    const headers = { origin: "https://a.example", "access-control-request-method": "PUT" };
    expect(readPreflight("OPTIONS", headers)).toEqual({ origin: "https://a.example", method: "PUT" });
    expect(readPreflight("GET", headers)).toBeUndefined();
    expect(readPreflight("OPTIONS", { origin: "https://a.example" })).toBeUndefined();
  });

  it("gets the configured lists", () => {
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
  ])("gets nothing for a %s that is not allowed", (_, rules, preflight) => {
    expect(preflightHeaders(rules, preflight)).toEqual({});
  });
});

describe("an answer", () => {
  it("names the origin and the exposed headers only when the origin is allowed", () => {
    expect(responseHeaders(named, "https://app.example")).toEqual({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "x-request-id,location",
    });
    expect(responseHeaders(named, "https://other.example")).toEqual({});
    expect(responseHeaders(named, undefined)).toEqual({});
  });

  it("knows a scheme with any host", () => {
    const rules = { ...anyone, allowOrigins: ["https://*"] };
    expect(responseHeaders(rules, "https://a.example")).toEqual({
      "access-control-allow-origin": "https://a.example",
    });
    expect(responseHeaders(rules, "http://a.example")).toEqual({});
  });
});
