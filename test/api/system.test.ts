import { expect, it } from "vitest";
import { api } from "../support/api/target.ts";

it("GET /health returns 200 without a database call", async () => {
  const response = await api.get("/health");
  expect(response).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/./);
});

it("unknown paths are a 404", async () => {
  const notFound = { status: 404, body: { detail: "Not Found" } };
  const variants = ["/nothing", "/nothing/", "/nothing?q=%ZZ", "/users/1/2", "/users//1", "/users//"];
  for (const path of [...variants, "/%E2%9C%93"]) expect(await api.get(path), path).toMatchObject(notFound);
});

it.each([
  ["DELETE", "/users/me", "GET, HEAD, OPTIONS"],
  ["GET", "/users/batch", "OPTIONS, POST"],
  ["POST", "/", "GET, HEAD, OPTIONS"],
  ["PUT", "/auth/login/", "OPTIONS, POST"],
])("%s %s is a 405 with the allowed methods", async (method, path, allow) => {
  const response = await api.request(method, path);
  expect(response).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
  expect(response.headers.get("allow")).toBe(allow);
});

it.each([
  ["/health", 200],
  ["/health/", 200],
  ["/", 302],
  ["/docs", 200],
  ["/openapi.json", 200],
  ["/health/ready", 200],
  ["/docs/assets/x", 404],
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
