import { describe, expect, it } from "vitest";
import { api } from "../support/api/target.ts";

describe("GET /health", () => {
  it("returns 200 without a database call", async () => {
    const response = await api.get("/health");

    expect(response).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-request-id")).toMatch(/./);
  });
});

describe("the fallback", () => {
  it.each(["/nothing", "/nothing/", "/todos/1/2", "/todos//1", "/users//", "/%E2%9C%93", "/nothing?q=%ZZ"])(
    "returns 404 for %s",
    async (path) => {
      expect(await api.get(path)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    },
  );

  it.each([
    ["PATCH", "/todos/1", "DELETE, GET, PUT"],
    ["POST", "/todos/1", "DELETE, GET, PUT"],
    ["DELETE", "/todos", "GET, POST"],
    ["PUT", "/todos/", "GET, POST"],
    ["DELETE", "/health", "GET"],
  ])("returns 405 for %s %s with the allowed methods", async (method, path, allow) => {
    const response = await api.request(method, path);

    expect(response).toMatchObject({ status: 405, body: { detail: "Method Not Allowed" } });
    expect(response.headers.get("allow")).toBe(allow);
  });

  it.each([
    ["/todos", 405, "GET, POST"],
    ["/users/", 405, "GET, POST"],
    ["/health", 405, "GET"],
    ["/api/protected", 401, null],
    ["/nothing", 404, null],
  ])("responds to HEAD %s with %i", async (path, status, allow) => {
    const response = await api.request("HEAD", path);

    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
  });
});
