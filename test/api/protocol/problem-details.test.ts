import { STATUS_CODES } from "node:http";
import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";

const invalidUser = { name: " ", email: "x", age: -1 };
const PROBLEM = "application/problem+json";

describe("problem details", () => {
  it.each<[method: string, path: string, body: unknown, status: number, code: string]>([
    ["GET", "/todos/0", undefined, 404, "NotFound"],
    ["GET", "/posts/999999999", undefined, 404, "NotFound"],
    ["GET", "/users/0", undefined, 404, "NotFound"],
    ["PATCH", "/users/0", {}, 404, "NotFound"],
    ["GET", "/users/me", undefined, 401, "Unauthorized"],
    ["POST", "/users", invalidUser, 400, "InvalidArgument"],
    ["POST", "/todos", {}, 422, "ValidationError"],
    ["DELETE", "/todos", undefined, 405, "MethodNotAllowed"],
    ["GET", "/errors/500", undefined, 500, "InternalServerError"],
  ])("of %s %s with %j have the status %i", async (method, path, sent, status, code) => {
    const ordinary = await api.request(method, path, sent);
    const { headers, body } = await api.request(method, path, sent, {
      headers: { accept: "application/json;q=0.8, Application/Problem+JSON;charset=utf-8;q=0.9" },
    });

    expect(headers.get("content-type")).toBe(PROBLEM);
    expect(headers.get("www-authenticate")).toBe(ordinary.headers.get("www-authenticate"));
    expect(body).toMatchObject({ type: "about:blank", title: STATUS_CODES[status], status, code });
    expect(body.instance).toMatch(new RegExp(`^https?://.*${path}$`));
    expect(ordinary.status).toBe(status);
    expect(ordinary.headers.get("content-type")).not.toBe(PROBLEM);
  });

  it.each([
    ...["GET", "PUT", "POST", "DELETE"].map((method) => [method, "/auth/login"]),
    ...["/auth/Login", "/auth/%6Cogin", "/auth/login/", "/auth/login/x"].map((path) => ["POST", path]),
    ["POST", "/users/"],
    ["DELETE", "/users/batch"],
    ["GET", "/users/me"],
    ["PUT", "/users/me/Password"],
    ["PUT", "/users/me/password/"],
    ["POST", "/users/me/deletion"],
    ["GET", "/admin/users"],
    ["GET", "/api/v2/users"],
    ["GET", "/api/none"],
  ] as [string, string][])("of %s %s repeat no query, and are not stored", async (method, path) => {
    for (const accept of [PROBLEM, "application/json"]) {
      const target = `${path}?username=ada&password=Recognisable1&api_key=recognisable`;
      const { status, headers, body } = await api.request(method, target, undefined, { headers: { accept } });
      expect(status === 308 || status >= 400).toBe(true);
      expect(`${JSON.stringify([...headers])} ${JSON.stringify(body)}`).not.toMatch(/recognisable/i);
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  it("list every field of an invalid request, also of user records", async () => {
    const { body } = await api.post("/users", invalidUser, { headers: { accept: PROBLEM } });
    const fields = body.errors.map(({ field }: { field: string }) => field);

    expect(body.detail).toMatch(/^name: /);
    expect(fields).toEqual(["body.name", "body.email", "body.age"]);
  });

  it.each([
    [`${PROBLEM}, application/json`, true],
    [`*/*, ${PROBLEM}`, true],
    ["*/*", false],
    [`${PROBLEM};q=0`, false],
    ["text/html", false],
    [`application/json, ${PROBLEM};q=0.5`, false],
    [`*/*, ${PROBLEM};q=0.5`, false],
  ])("are sent to a client that accepts %s: %s", async (accept, isSent) => {
    const { headers, body } = await api.get("/todos/0", { headers: { accept } });
    expect(headers.get("content-type")).toBe(isSent ? PROBLEM : "application/json");
    if (!isSent) expect(body).toEqual({ error: "Todo not found" });
  });
});
