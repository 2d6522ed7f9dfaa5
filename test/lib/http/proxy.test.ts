import { hash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createHandler } from "../../../lib/http/handler.ts";
import { clientAddress } from "../../../lib/http/proxy.ts";
import { readEvent, urlOf } from "../../../lib/http/request.ts";
import { invoke } from "../../support/api/invoke.ts";
import { emptyRoute } from "../../support/api/test-route.ts";

const secret = { "x-proxy-secret": "a secret" };

beforeEach(() => {
  vi.stubEnv("ADDRESS", "https://www.example.com/api");
  vi.stubEnv("PROXY_SECRET_HASHES", `${hash("sha256", "next")},${hash("sha256", "a secret")}`);
  vi.stubEnv("PROXY_ADDRESS_HEADER", "x-real-ip");
});
afterEach(() => vi.unstubAllEnvs());

it("the URL of a request begins with the public address", () => {
  const headers = { host: "origin.example", "x-forwarded-proto": "http" };
  const url = urlOf(readEvent({ rawPath: "/todos/7", rawQueryString: "a=b", headers }));
  expect(url).toBe("https://www.example.com/api/todos/7?a=b");
});

it.each([
  ["198.51.100.7", "198.51.100.7"],
  ["198.51.100.7:46532", "198.51.100.7"],
  ["[2001:db8::7]:46532", "2001:db8::7"],
  ["198.51.100.7, 203.0.113.9", "10.0.0.1"],
  ["", "10.0.0.1"],
])("the client's address of the header %j is %s", (header, address) => {
  const addressWith = (more: object) => clientAddress({ "x-real-ip": header, ...more }, "10.0.0.1");
  expect(addressWith(secret)).toBe(address);
  for (const other of [{}, { "x-proxy-secret": "other" }]) expect(addressWith(other)).toBe("10.0.0.1");
  vi.stubEnv("PROXY_SECRET_HASHES", undefined);
  expect(addressWith(secret)).toBe("10.0.0.1");
});

describe("a request", () => {
  const handler = createHandler([emptyRoute("GET /notes")], () => () => ({}));
  it.each([
    [undefined, "/notes", 403],
    [undefined, "/none", 403],
    ["other", "/notes", 403],
    ["a secret", "/notes", 204],
    ["a secret", "/none", 404],
    ["next", "/notes", 204],
  ])("with the secret %s for %s is a %i", async (sent, target, status) => {
    const headers: Record<string, string> = sent === undefined ? {} : { "x-proxy-secret": sent };
    const request = { method: "GET", target, headers };
    expect(await invoke(handler, request, "GET /notes")).toMatchObject({ status });
  });

  it("of the deployment itself needs none: the gateway adds an address to all others", async () => {
    const event = { rawPath: "/notes", headers: {}, requestContext: { stage: "$default" } };
    expect(await handler(event as never, { functionName: "" } as never)).toMatchObject({ statusCode: 204 });
  });
});
