import { describe, expect, it } from "vitest";
import type { ApiResponse } from "./conformance.ts";
import { checkConformance } from "./conformance.ts";

const todo = { id: 1, title: "t", completed: false };
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
    ["GET /todos/1", responseWith(200, todo, { etag })],
    ["GET /todos", responseWith(200, [todo])],
    ["POST /todos", responseWith(201, todo, { etag, location: "/todos/1" })],
    ["GET /todos/1", responseWith(404, { error: "e" })],
    ["GET /todos/1", responseWith(503, { error: "e" }, { "retry-after": "1" })],
    ["GET /nothing", responseWith(404, { detail: "Not Found" })],
    ["GET /users/me", responseWith(200, account, noStore)],
    ["GET /users/me", responseWith(404, { detail: "User not found" }, noStore)],
  ])("accepts %s", (request, given) => {
    expect(() => check(request, given)).not.toThrow();
  });

  it.each([
    ["an undeclared status", "GET /todos/1", responseWith(201, todo), "does not declare this status"],
    ["an undeclared error", "GET /todos", responseWith(404, { error: "e" }), "does not declare this error"],
    ["a missing field", "GET /todos/1", responseWith(200, { id: 1, title: "t" }, { etag }), "completed"],
    [
      "an undeclared field",
      "GET /todos/1",
      responseWith(200, { ...todo, secret: 1 }, { etag }),
      "has undeclared fields",
    ],
    [
      "an undeclared field in an array",
      "GET /todos",
      responseWith(200, [todo, { ...todo, secret: 1 }]),
      "has undeclared fields",
    ],
    [
      "an undeclared field of an error",
      "GET /todos/1",
      responseWith(404, { error: "e", secret: 1 }),
      "secret",
    ],
    ["the error format of another area", "GET /todos/1", responseWith(404, { detail: "e" }), "error"],
    ["a missing header", "POST /todos", responseWith(201, todo, { etag }), "header is missing: location"],
    [
      "an undeclared header",
      "GET /todos/1",
      responseWith(200, todo, { etag, location: "/" }),
      "header is not declared: location",
    ],
    [
      "an unexpected error",
      "GET /todos/1",
      responseWith(500, { error: "e" }),
      "Server errors are not allowed",
    ],
    [
      "a response without nosniff",
      "GET /todos/1",
      responseWith(200, todo, { etag, "x-content-type-options": "" }),
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
    ["a success of an unknown operation", "GET /nothing", responseWith(200, todo), "Unknown operations"],
  ])("rejects %s", (_, request, given, message) => {
    expect(() => check(request, given)).toThrow(message);
  });
});
