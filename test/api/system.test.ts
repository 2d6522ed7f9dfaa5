import { describe, expect, it } from "vitest";
import { api } from "../support/api/target.ts";

it("GET /health returns 200 without a database call", async () => {
  const response = await api.get("/health");
  expect(response).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/./);
});

it("GET /health/ready returns 200 if the database can be read", async () => {
  expect(await api.get("/health/ready")).toMatchObject({ status: 200, body: { status: "ready" } });
});

describe("GET /errors/{status}", () => {
  it.each([400, 401, 403, 404, 500])("returns %i with a detail", async (status) => {
    const response = await api.get(`/errors/${status}`);
    expect([response.status, response.body]).toEqual([status, { detail: expect.stringMatching(/./) }]);
    expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
  });

  it.each(["418", "200", "0400", "abc", "toString", "__proto__", "%F0%9F%A7%80"])(
    "returns 404 for %s",
    async (status) => {
      expect(await api.get(`/errors/${status}`)).toMatchObject({
        status: 404,
        body: { detail: expect.stringMatching(/./) },
      });
    },
  );
});

describe("the fallback", () => {
  it.each(["/nothing", "/nothing/", "/users/1/2", "/users//1", "/users//", "/%E2%9C%93", "/nothing?q=%ZZ"])(
    "returns 404 for %s",
    async (path) => {
      expect(await api.get(path)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    },
  );

  it.each([
    ["POST", "/users/1", "DELETE, GET, HEAD, OPTIONS, PATCH, PUT"],
    ["PATCH", "/users", "GET, HEAD, OPTIONS, POST"],
    ["PUT", "/users/", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", "/users/search", "GET, HEAD, OPTIONS, POST"],
    ["DELETE", "/users/me", "GET, HEAD, OPTIONS"],
    ["GET", "/users/batch", "OPTIONS, POST"],
    ["POST", "/", "GET, HEAD, OPTIONS"],
    ["PUT", "/auth/login/", "OPTIONS, POST"],
    ["DELETE", "/health", "GET, HEAD, OPTIONS"],
  ])("returns 405 for %s %s with the allowed methods", async (method, path, allow) => {
    const response = await api.request(method, path);
    expect(response).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
    expect(response.headers.get("allow")).toBe(allow);
  });
});

it.each([
  ["/health", 200],
  ["/health/", 200],
  ["/", 302],
  ["/docs", 200],
  ["/openapi.json", 200],
  ["/health/ready", 200],
  ["/users/x", 404],
  ["/users?limit=0", 400],
  ["/errors/500", 500],
  ["/api/protected", 401],
  ["/nothing", 404],
  ["/auth/login", 405],
])("HEAD has the headers of GET, and no body: %s is %i", async (path, status) => {
  const get = await api.request("GET", path);
  const head = await api.request("HEAD", path);

  expect([head.status, head.text]).toEqual([status, ""]);
  const ofItself = ["apigw-requestid", "connection", "content-length", "date", "keep-alive", "x-request-id"];
  const headersOf = (headers: Headers) =>
    [...headers].filter(([name]) => !ofItself.includes(name) && name !== "transfer-encoding");
  expect(headersOf(head.headers)).toEqual(headersOf(get.headers));
  if (get.text !== "") expect(Number(head.headers.get("content-length"))).toBeGreaterThan(0);
});
