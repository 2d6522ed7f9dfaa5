import type { ApiError, ErrorCode } from "../domain/errors.ts";

/**
 * The shape in which failures are worded (specification, "Error body shapes"). Each area has one; `envelope`
 * and `empty` are those of single failures, declared with them.
 */
export type ErrorFormat = "error" | "detail" | "structured" | "envelope" | "empty";

/** The HTTP status of each failure code (specification, "Status codes in use"). */
export const statusByCode = {
  InvalidArgument: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  Conflict: 409,
  PreconditionFailed: 412,
  ValidationError: 422,
  TooManyRequests: 429,
  Demonstration: 500,
  ServiceUnavailable: 503,
} as const satisfies Record<ErrorCode, number>;

/** A status that a declaration can name as one of its failures. */
export type ErrorStatus = (typeof statusByCode)[ErrorCode];

/**
 * Words a failure in an area's dialect.
 *
 * Duplicates and validation failures have one structured body in every area (specification,
 * "Structured handlers"); everything else follows the dialect.
 *
 * @param failure what was thrown
 * @param dialect the dialect of the area that the request belongs to
 * @param url the request's URL as the client sent it; the structured dialect repeats it as `path`
 * @returns the JSON body; undefined for none
 */
export function formatError(
  failure: ApiError,
  dialect: ErrorFormat,
  url: string,
): Record<string, unknown> | undefined {
  const { code, message } = failure;
  if (code === "ValidationError") return { error: code, message, details: failure.details };
  if (code === "Conflict") return { error: code, message, field: failure.field };
  switch (dialect) {
    case "error":
      return { error: message };
    case "detail":
      return { detail: message };
    case "structured":
      return { error: code, message, path: url };
    case "envelope":
      return { success: false, data: null, error: message };
    case "empty":
      return undefined;
  }
}

/**
 * The body of an unexpected error: it says nothing of the cause, which is in the log under the request id.
 *
 * @param url the request's URL as the client sent it
 */
export function unexpectedErrorBody(url: string): Record<string, unknown> {
  return { error: "InternalServerError", message: "An unexpected error occurred", path: url };
}
