import { describe, expect, it } from "vitest";
import { api } from "../../support/api/target.ts";

const invalidUser = { name: " ", email: "x", age: -1 };
const problems: [method: string, path: string, body: unknown, status: number, title: string, code: string][] =
  [
    ["GET", "/todos/0", undefined, 404, "Not Found", "NotFound"],
    ["GET", "/posts/999999999", undefined, 404, "Not Found", "NotFound"],
    ["GET", "/users/0", undefined, 404, "Not Found", "NotFound"],
    ["PATCH", "/users/0", {}, 404, "Not Found", "NotFound"],
    ["GET", "/users/me", undefined, 401, "Unauthorized", "Unauthorized"],
    ["POST", "/users", invalidUser, 400, "Bad Request", "InvalidArgument"],
    ["POST", "/todos", {}, 422, "Unprocessable Entity", "ValidationError"],
    ["DELETE", "/todos", undefined, 405, "Method Not Allowed", "MethodNotAllowed"],
    ["GET", "/errors/500", undefined, 500, "Internal Server Error", "InternalServerError"],
  ];

describe("problem details", () => {
  it.each(problems)(
    "of %s %s with %j have the status %i",
    async (method, path, sent, status, title, code) => {
      const ordinary = await api.request(method, path, sent);
      const { headers, body } = await api.request(method, path, sent, {
        headers: { accept: "application/json;q=0.8, Application/Problem+JSON;charset=utf-8;q=0.9" },
      });

      expect(headers.get("content-type")).toBe("application/problem+json");
      expect(headers.get("www-authenticate")).toBe(ordinary.headers.get("www-authenticate"));
      expect(body).toMatchObject({ type: "about:blank", title, status, code });
      expect(body.instance).toMatch(new RegExp(`^https?://.*${path}$`));
      expect(ordinary.status).toBe(status);
      expect(ordinary.headers.get("content-type")).not.toBe("application/problem+json");
    },
  );

  it.each(["application/problem+json, application/json", "*/*, application/problem+json"])(
    "are sent to a client that accepts %s",
    async (accept) => {
      const { headers } = await api.get("/todos/0", { headers: { accept } });

      expect(headers.get("content-type")).toBe("application/problem+json");
    },
  );

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
    for (const accept of ["application/problem+json", "application/json"]) {
      const target = `${path}?username=ada&password=Recognisable1&api_key=recognisable`;
      const { status, headers, body } = await api.request(method, target, undefined, { headers: { accept } });
      expect(status === 308 || status >= 400).toBe(true);
      expect(`${JSON.stringify([...headers])} ${JSON.stringify(body)}`).not.toMatch(/recognisable/i);
      expect(headers.get("cache-control")).toBe("no-store");
    }
  });

  it("list every field of an invalid request, also of user records", async () => {
    const headers = { accept: "application/problem+json" };
    const { body } = await api.post("/users", invalidUser, { headers });

    expect(body.detail).toMatch(/^name: /);
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      "body.name",
      "body.email",
      "body.age",
    ]);
  });

  it.each([
    "*/*",
    "application/problem+json;q=0",
    "text/html",
    "application/json, application/problem+json;q=0.5",
    "*/*, application/problem+json;q=0.5",
  ])("are not sent to a client that accepts %s", async (accept) => {
    const { headers, body } = await api.get("/todos/0", { headers: { accept } });
    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual({ error: "Todo not found" });
  });
});
