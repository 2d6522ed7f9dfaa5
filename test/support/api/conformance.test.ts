import { describe, expect, it } from "vitest";
import { checkConformance } from "./conformance.ts";

const user = { id: 1, name: "Ada", email: "ada@example.com", age: 36 };
const found = { success: true, data: user, error: null };
const notFound = { success: false, data: null, error: "e" };
const required = { "x-request-id": "id", "x-content-type-options": "nosniff" };
const mayBeStored = { "cache-control": "no-cache" };
const noStore = { "cache-control": "no-store" };
const account = { username: "ada", email: "ada@example.com", role: "user" };
const tag = { etag: '"1"' };
const plain = { "content-type": "text/plain" };
const created = { ...tag, location: "/users/1" };
const unknownUser = { detail: "User not found" };

function check(request: string, status: number, body: unknown, more: Record<string, string>): void {
  const [method = "", target = ""] = request.split(" ");
  const vary = status >= 400 && { vary: "accept" };
  const isPrivate = status >= 400 || method !== "GET" || target === "/users/me";
  const caching = { "cache-control": isPrivate ? "no-store" : "no-cache" };
  const sent = new Headers({ ...required, "content-type": "application/json", ...caching, ...vary, ...more });
  checkConformance(method, target, { status, headers: sent, text: JSON.stringify(body), body });
}

describe("checkConformance", () => {
  it.each([
    ["GET /users/1", 200, found, tag],
    ["GET /users/search?q=a", 200, [user], {}],
    ["POST /users", 201, user, created],
    ["GET /users/1", 404, notFound, {}],
    ["GET /users/1", 503, { error: "e" }, { "retry-after": "1" }],
    ["GET /nothing", 404, { detail: "Not Found" }, {}],
    ["GET /users/me", 200, account, {}],
    ["GET /users/me", 404, unknownUser, {}],
  ] as const)("accepts %s with %i", (request, status, body, more) => {
    expect(() => check(request, status, body, more)).not.toThrow();
  });

  it.each([
    ["an undeclared status", "GET /users/1", 201, found, {}, "does not declare this status"],
    ["an undeclared error", "GET /users/search?q=a", 404, { error: "e" }, {}, "does not declare this error"],
    ["a missing field", "POST /users", 201, { ...user, age: undefined }, created, "age"],
    ["an undeclared field", "GET /users/1", 200, { ...found, secret: 1 }, tag, "has undeclared fields"],
    ["one in an array", "GET /users/search?q=a", 200, [{ ...user, secret: 1 }], {}, "has undeclared fields"],
    ["an undeclared field of an error", "GET /users/1", 404, { ...notFound, secret: 1 }, {}, "secret"],
    ["the error format of another area", "GET /users/1", 404, { detail: "e" }, {}, "error"],
    ["a missing header", "POST /users", 201, user, tag, "header is missing: location"],
    ["an undeclared header", "GET /users/1", 200, found, created, "header is not declared: location"],
    ["an unexpected error", "GET /users/1", 500, notFound, {}, "Server errors are not allowed"],
    ["no nosniff", "GET /users/1", 200, found, { ...tag, "x-content-type-options": "" }, "must have nosniff"],
    ["an account that may be stored", "GET /users/me", 200, account, mayBeStored, "may be stored"],
    ["an error that may be stored", "GET /users/1", 404, notFound, mayBeStored, "may be stored"],
    ["a record that may not be stored", "GET /users/1", 200, found, { ...tag, ...noStore }, "may be stored"],
    ["a 304 of another type", "GET /users/1", 304, undefined, { ...tag, ...plain }, "type of its 200"],
    ["an error about it that may be stored", "GET /users/me", 404, unknownUser, mayBeStored, "may be stored"],
    ["a success of an unknown operation", "GET /nothing", 200, user, {}, "Unknown operations"],
  ] as const)("rejects %s", (_, request, status, body, more, message) => {
    expect(() => check(request, status, body, more)).toThrow(message);
  });
});
