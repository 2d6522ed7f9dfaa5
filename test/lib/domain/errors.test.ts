import { expect, it } from "vitest";
import { ApiError, type ErrorCode } from "../../../lib/domain/errors.ts";

it.each<[ErrorCode, boolean]>([
  ["NotFound", false],
  ["ValidationError", false],
  ["TooManyRequests", false],
  ["InternalServerError", true],
  ["ServiceUnavailable", true],
])("an error with the code %s has the stack that its log line needs: %s", (code, isLogged) => {
  const { stackTraceLimit } = Error;
  const { stack } = new ApiError(code, "message");

  expect(stack?.includes("errors.test.ts")).toBe(isLogged);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
