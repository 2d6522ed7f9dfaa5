import { describe, expect, it } from "vitest";
import type { ApiResponse } from "./conformance.ts";
import { checkConformance } from "./conformance.ts";

const todo = { id: 1, title: "t", completed: false };
const headers = { "x-request-id": "id", "content-type": "application/json" };
const etag = '"1"';

function answerOf(status: number, body: unknown, more: Record<string, string> = {}): ApiResponse {
  return { status, headers: new Headers({ ...headers, ...more }), text: JSON.stringify(body), body };
}

describe("an answer conforms to its declaration", () => {
  it.each([
    ["GET", "/todos/1", answerOf(200, todo, { etag })],
    ["GET", "/todos", answerOf(200, [todo])],
    ["POST", "/todos", answerOf(201, todo, { etag, location: "/todos/1" })],
    ["GET", "/todos/1", answerOf(404, { error: "e" })],
    ["GET", "/todos/1", answerOf(503, { error: "e" }, { "retry-after": "1" })],
    ["GET", "/nothing", answerOf(404, { detail: "Not Found" })],
  ])("%s %s", (method, target, given) => {
    expect(() => checkConformance(method, target, given)).not.toThrow();
  });

  it.each([
    ["a status of its own", "GET", "/todos/1", answerOf(201, todo), "does not declare this status"],
    ["a failure of its own", "GET", "/todos", answerOf(404, { error: "e" }), "does not declare this failure"],
    ["less than is declared", "GET", "/todos/1", answerOf(200, { id: 1, title: "t" }, { etag }), "completed"],
    [
      "more than is declared",
      "GET",
      "/todos/1",
      answerOf(200, { ...todo, secret: 1 }, { etag }),
      "has more than",
    ],
    ["more in a list", "GET", "/todos", answerOf(200, [todo, { ...todo, secret: 1 }]), "has more than"],
    ["more in a failure", "GET", "/todos/1", answerOf(404, { error: "e", secret: 1 }), "secret"],
    ["the dialect of others", "GET", "/todos/1", answerOf(404, { detail: "e" }), "error"],
    ["a header too few", "POST", "/todos", answerOf(201, todo, { etag }), "no header location"],
    [
      "a header too many",
      "GET",
      "/todos/1",
      answerOf(200, todo, { etag, location: "/" }),
      "nothing of the header",
    ],
    ["a defect", "GET", "/todos/1", answerOf(500, { error: "e" }), "always a defect"],
    ["a success of nobody", "GET", "/nothing", answerOf(200, todo), "No such operation"],
  ])("but not with %s", (_, method, target, given, complaint) => {
    expect(() => checkConformance(method, target, given)).toThrow(complaint);
  });
});
