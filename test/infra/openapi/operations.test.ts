import { describe, expect, it } from "vitest";
import { UserCreate } from "../../../lib/validators/account.ts";
import { document, operation, parameter, ref, response, schemaOf } from "../../support/infra/openapi.ts";

describe("an operation", () => {
  it("has its parameters with bounds, defaults and whether they are required", () => {
    expect(parameter("GET /users", "order")).toMatchObject({
      name: "order",
      in: "query",
      required: false,
      schema: { type: "string", enum: ["asc", "desc"], default: "asc" },
    });
    expect(parameter("GET /users/search", "q")).toMatchObject({
      required: true,
      schema: { type: "string", minLength: 1 },
    });
    expect(parameter("GET /users/{id}", "id")).toMatchObject({
      in: "path",
      required: true,
      schema: { type: "integer" },
    });
    expect(parameter("GET /users", "api-version")).toMatchObject({
      in: "header",
      required: false,
      schema: { type: "string", enum: ["1.0", "2.0"] },
    });
    expect(parameter("POST /users", "idempotency-key")).toMatchObject({
      in: "header",
      required: false,
      schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[ -~]+$" },
    });
    expect(parameter("GET /users", "fields")?.schema).toEqual({
      type: "array",
      items: { type: "string", enum: ["id", "name", "email", "age"] },
    });
  });

  it("states the pattern of an account's e-mail, which decides alone", () => {
    const { pattern = "", ...email } = document.components.schemas.UserCreate?.properties?.email ?? {};

    expect(email).toMatchObject({ type: "string", maxLength: 254 });
    for (const address of [
      "a@b.co",
      "First.Last+tag@Sub.Example.ORG",
      "ada@b",
      "@b.co",
      "a..b@c.de",
      "é@b.co",
    ])
      expect(new RegExp(pattern).test(address)).toBe(UserCreate.shape.email.safeParse(address).success);
  });

  it("has the bounds of integers, and int64 for those that 32 bits cannot hold", () => {
    const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

    expect(parameter("GET /users/{id}", "id")?.schema).toEqual({
      type: "integer",
      format: "int64",
      ...safe,
    });
    expect(document.components.schemas.User?.properties?.id).toMatchObject({
      type: "integer",
      format: "int64",
      ...safe,
      minimum: 1,
    });
    expect(document.components.schemas.UserCreate?.properties?.age).toMatchObject({
      type: ["integer", "null"],
      minimum: 0,
      maximum: 150,
    });
  });

  it("has the defaults of optional fields in a body", () => {
    const { properties, required } = document.components.schemas.UserSearch ?? {};

    expect([properties?.page?.default, properties?.size?.default]).toEqual([1, 10]);
    expect(required).toEqual(["filters"]);
  });

  it("accepts its query parameters in a body if declared", () => {
    const { parameters, requestBody } = operation("POST /auth/login");

    expect(parameters?.map(({ name, required }) => [name, required])).toEqual([
      ["username", false],
      ["password", false],
    ]);
    expect(requestBody).toMatchObject({
      required: false,
      content: {
        "application/json": { schema: ref("LogInRequest") },
        "application/x-www-form-urlencoded": { schema: ref("LogInRequest") },
      },
    });
    expect(document.components.schemas.LogInRequest?.required).toEqual(["username", "password"]);
  });

  it("is distinct from one whose path differs only by a trailing slash", () => {
    expect(operation("POST /users").operationId).toBe("createUser");
    expect(operation("POST /users/").operationId).toBe("registerAccount");
    expect(operation("POST /users/").requestBody).toEqual({
      required: true,
      content: {
        "application/json": {
          schema: ref("UserCreate"),
          example: { username: "ada", email: "ada@example.com", password: "Analytical1", age: 36 },
        },
      },
    });
  });

  it("has errors in the format of its area", () => {
    expect(schemaOf("GET /docs/assets/{file}", 404)).toEqual(ref("Detail"));
    expect(schemaOf("GET /users/{id}", 404)).toEqual(ref("EnvelopeError"));
    expect(response("PATCH /users/{id}", 404).content).toBeUndefined();
    expect(schemaOf("POST /users/", 409)).toEqual(ref("Conflict"));
    expect(schemaOf("POST /users/", 422)).toEqual(ref("ValidationError"));
    expect(schemaOf("GET /users", 503)).toEqual(ref("Error"));
    expect(schemaOf("GET /users", 429)).toEqual(ref("GatewayError"));
    expect(schemaOf("GET /users", 500)).toEqual(ref("InternalServerError"));
  });

  it("has both schemas for a status with two error formats", () => {
    expect(schemaOf("GET /users", 400)).toEqual(ref("DetailOrError"));
    expect(document.components.schemas.DetailOrError).toEqual({ oneOf: [ref("Detail"), ref("Error")] });
    expect(schemaOf("GET /errors/{status}", 500)).toEqual(ref("DetailOrInternalServerError"));
  });

  it("has no validation error if every request is valid", () => {
    expect(operation("GET /health").responses).not.toHaveProperty("422");
    expect(operation("GET /users/{id}").responses).not.toHaveProperty("400");
    expect(operation("POST /users").responses).not.toHaveProperty("422");
    expect(operation("GET /users/search").responses).toHaveProperty("400");
    expect(operation("GET /admin/users").responses).toHaveProperty("422");
  });

  it("has its authentication scheme and the errors of authentication", () => {
    expect(operation("GET /todos").security).toEqual([]);
    expect(operation("GET /users").security).toEqual([{}, { bearer: [] }]);
    expect(operation("GET /users/me").security).toEqual([{ bearer: [] }]);
    expect(operation("GET /api/protected").security).toEqual([{ apiKey: [] }]);
    expect(operation("GET /admin/users").responses).toHaveProperty("403");
    expect(response("GET /users/me", 401).headers).toHaveProperty("www-authenticate");
    expect(response("GET /api/protected", 401).headers).toHaveProperty("www-authenticate");
    expect(response("POST /auth/login", 401).headers).toHaveProperty("www-authenticate");
  });

  it("has the media types and headers of its responses", () => {
    expect(response("GET /api/protected", 200).content).toEqual({
      "text/plain": { schema: { type: "string" } },
    });
    expect(response("POST /users", 201).headers).toHaveProperty("location");
    expect(response("DELETE /users/{id}", 204).content).toBeUndefined();
    expect(response("POST /auth/login", 429).headers).toHaveProperty("retry-after");
    expect(response("POST /users/", 409).headers).not.toHaveProperty("retry-after");
    expect(operation("POST /users").responses).not.toHaveProperty("409");
    expect(document.components.responses.MethodNotAllowed?.headers).toHaveProperty("allow");
  });
});
