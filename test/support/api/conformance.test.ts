import { describe, expect, it } from "vitest";
import type { ApiResponse } from "./conformance.ts";
import { checkConformance } from "./conformance.ts";

const user = { id: 1, name: "Ada", email: "ada@example.com", age: 36 };
const found = { success: true, data: user, error: null };
const notFound = { success: false, data: null, error: "e" };
const headers = {
  "x-request-id": "id",
  "x-content-type-options": "nosniff",
  "content-type": "application/json",
};
const noStore = { "cache-control": "no-store" };
const account = { username: "ada", email: "ada@example.com", role: "user" };
const etag = '"1"';

function responseWith(status: number, body: unknown, more: Record<string, string> = {}): ApiResponse {
  const vary = status >= 400 && { vary: "accept" };
  return { status, headers: new Headers({ ...headers, ...vary, ...more }), text: JSON.stringify(body), body };
}

function check(request: string, given: ApiResponse): void {
  const [method = "", target = ""] = request.split(" ");
  checkConformance(method, target, given);
}

describe("checkConformance", () => {
  it.each([
    ["GET /users/1", responseWith(200, found, { etag })],
    ["GET /users/search?q=a", responseWith(200, [user])],
    ["POST /users", responseWith(201, user, { etag, location: "/users/1" })],
    ["GET /users/1", responseWith(404, notFound)],
    ["GET /users/1", responseWith(503, { error: "e" }, { "retry-after": "1" })],
    ["GET /nothing", responseWith(404, { detail: "Not Found" })],
    ["GET /users/me", responseWith(200, account, noStore)],
    ["GET /users/me", responseWith(404, { detail: "User not found" }, noStore)],
  ])("accepts %s", (request, given) => {
    expect(() => check(request, given)).not.toThrow();
  });

  it.each([
    ["an undeclared status", "GET /users/1", responseWith(201, found), "does not declare this status"],
    [
      "an undeclared error",
      "GET /users/search?q=a",
      responseWith(404, { error: "e" }),
      "does not declare this error",
    ],
    [
      "a missing field",
      "POST /users",
      responseWith(201, { ...user, age: undefined }, { etag, location: "/users/1" }),
      "age",
    ],
    [
      "an undeclared field",
      "GET /users/1",
      responseWith(200, { ...found, secret: 1 }, { etag }),
      "has undeclared fields",
    ],
    [
      "an undeclared field in an array",
      "GET /users/search?q=a",
      responseWith(200, [user, { ...user, secret: 1 }]),
      "has undeclared fields",
    ],
    [
      "an undeclared field of an error",
      "GET /users/1",
      responseWith(404, { ...notFound, secret: 1 }),
      "secret",
    ],
    ["the error format of another area", "GET /users/1", responseWith(404, { detail: "e" }), "error"],
    ["a missing header", "POST /users", responseWith(201, user, { etag }), "header is missing: location"],
    [
      "an undeclared header",
      "GET /users/1",
      responseWith(200, found, { etag, location: "/" }),
      "header is not declared: location",
    ],
    ["an unexpected error", "GET /users/1", responseWith(500, notFound), "Server errors are not allowed"],
    [
      "a response without nosniff",
      "GET /users/1",
      responseWith(200, found, { etag, "x-content-type-options": "" }),
      "Every response must have nosniff",
    ],
    [
      "a response that may be stored although it needed a token",
      "GET /users/me",
      responseWith(200, account),
      "must have no-store",
    ],
    [
      "an error that may be stored although it needed a token",
      "GET /users/me",
      responseWith(404, { detail: "User not found" }),
      "must have no-store",
    ],
    ["a success of an unknown operation", "GET /nothing", responseWith(200, user), "Unknown operations"],
  ])("rejects %s", (_, request, given, message) => {
    expect(() => check(request, given)).toThrow(message);
  });
});
