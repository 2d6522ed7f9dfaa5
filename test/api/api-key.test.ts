import { describe, expect, inject, it } from "vitest";
import { api } from "../support/api/target.ts";

function withKey() {
  const { apiKey } = inject("target");
  if (!apiKey) throw new Error("The specs need a static key; set API_KEY");
  return { headers: { "x-api-key": apiKey } };
}

it("GET /api/protected returns plain text", async () => {
  const { status, body, headers } = await api.get("/api/protected", withKey());
  expect([status, body]).toEqual([200, expect.stringMatching(/^The key/)]);
  expect(headers.get("content-type")).toMatch(/^text\/plain/);
});

describe("under /api", () => {
  const requests = [
    ["GET", "/api/protected"],
    ["GET", "/api"],
    ["PATCH", "/api"],
    ["POST", "/api//"],
    ["GET", "/api/%2F"],
    ["GET", "/api/protected//"],
    ["GET", "/api/nothing"],
    ["PUT", "/api/v3/users/"],
    ["GET", "/api//protected"],
    ["GET", "/api/%2Fprotected"],
  ] as const;

  it.each(requests)("%s %s checks the key first", async (method, path) => {
    const unauthorized = { status: 401, body: { error: expect.stringMatching(/X-API-Key/) } };
    const wrong = ["", " ", "wrong", "the-first-key-of-the-specs,x", "é", "x".repeat(5_000)];

    for (const key of [undefined, ...wrong]) {
      const headers = key === undefined ? {} : { "x-api-key": key };
      const response = await api.request(method, path, undefined, { headers });
      expect(response).toMatchObject(unauthorized);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("www-authenticate")).toBe('ApiKey realm="api", header="X-API-Key"');
    }
  });

  it("returns 404 for unknown paths with a key", async () => {
    const notFound = { status: 404, body: { error: "Not Found" } };
    for (const path of ["/api", "/api/", "/api/nothing", "/api/v1/users/1", "/api//protected"])
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
        expect(await api.request(method, path, undefined, withKey()), path).toMatchObject(notFound);
  });

  it("returns 405 for another method with a key", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const response = await api.request(method, "/api/protected", undefined, withKey());
      expect(response).toMatchObject({ status: 405, body: { error: "Method Not Allowed" } });
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    }
  });

  it("does not accept a key in the query or a part of a key", async () => {
    const { headers } = withKey();
    const key = headers["x-api-key"];
    expect((await api.get("/api/protected", { query: { "x-api-key": key } })).status).toBe(401);
    for (const similar of [key.slice(1), key.slice(0, -1), `${key}x`, key.toUpperCase(), `${key},${key}`])
      expect((await api.get("/api/protected", { headers: { "x-api-key": similar } })).status).toBe(401);
  });
});
