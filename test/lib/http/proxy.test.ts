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
afterEach(() => {
  vi.unstubAllEnvs();
});

it("the URL of a request begins with the public address", () => {
  const headers = { host: "origin.example", "x-forwarded-proto": "http" };
  expect(urlOf(readEvent({ rawPath: "/todos/7", rawQueryString: "a=b", headers }))).toBe(
    "https://www.example.com/api/todos/7?a=b",
  );
});

describe("the client's address", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["198.51.100.7:46532", "198.51.100.7"],
    ["[2001:db8::7]:46532", "2001:db8::7"],
    ["198.51.100.7, 203.0.113.9", "10.0.0.1"],
    ["", "10.0.0.1"],
  ])("of the header %j is %s", (header, address) => {
    expect(clientAddress({ ...secret, "x-real-ip": header }, "10.0.0.1")).toBe(address);
    expect(clientAddress({ "x-real-ip": header }, "10.0.0.1")).toBe("10.0.0.1");
    expect(clientAddress({ "x-proxy-secret": "other", "x-real-ip": header }, "10.0.0.1")).toBe("10.0.0.1");
  });

  it("is not read from a header without a proxy", () => {
    vi.stubEnv("PROXY_SECRET_HASHES", undefined);
    expect(clientAddress({ ...secret, "x-real-ip": "198.51.100.7" }, "10.0.0.1")).toBe("10.0.0.1");
  });
});

describe("a request", () => {
  const handler = createHandler([emptyRoute("GET /notes")], () => () => ({}));
  const statusOf = async (headers: Readonly<Record<string, string>>, target = "/notes") =>
    (await invoke(handler, { method: "GET", target, headers }, "GET /notes")).status;

  it("needs the secret of the proxy, whatever its path", async () => {
    expect([await statusOf({}), await statusOf({}, "/none")]).toEqual([403, 403]);
    expect(await statusOf({ "x-proxy-secret": "other" })).toBe(403);
    expect([await statusOf(secret), await statusOf(secret, "/none")]).toEqual([204, 404]);
    expect(await statusOf({ "x-proxy-secret": "next" })).toBe(204);
  });

  it("of the deployment itself needs none: the gateway adds an address to all others", async () => {
    const event = { rawPath: "/notes", headers: {}, requestContext: { stage: "$default" } };
    expect(await handler(event as never, { functionName: "" } as never)).toMatchObject({ statusCode: 204 });
  });
});
