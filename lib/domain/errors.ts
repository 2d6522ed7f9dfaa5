import { randomInt } from "node:crypto";

/** Stable identifiers for programs (docs/errors.md). */
export const fieldErrorTypes = [
  "missing",
  "invalid_type",
  "invalid_value",
  "invalid_format",
  "too_small",
  "too_big",
  "too_deep",
  "key_reused",
  "json_invalid",
  "utf8_invalid",
] as const;
export type FieldErrorType = (typeof fieldErrorTypes)[number];

export interface FieldError {
  readonly field: string;
  readonly message: string;
  readonly type: FieldErrorType;
}

/** `lib/http/errors.ts` maps each to its status. */
export type ErrorCode =
  | "InvalidArgument"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "Conflict"
  | "PreconditionFailed"
  | "UnsupportedMediaType"
  | "ValidationError"
  | "TooManyRequests"
  | "InternalServerError"
  | "ServiceUnavailable";

interface ApiErrorOptions extends ErrorOptions {
  readonly details?: readonly FieldError[];
  /** The field whose value conflicts with another record (`Conflict`). */
  readonly field?: string;
  readonly retryAfterSeconds?: number;
  /** Names in lower case: only for errors of `lib/http` and `lib/auth`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that is reported to the client. Anything else that is thrown is a defect and becomes a 500. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly FieldError[];
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    const { stackTraceLimit } = Error;
    // Nobody sees the stack of the others. Capturing it would take as long as the rest of the request.
    if (code !== "InternalServerError" && code !== "ServiceUnavailable") Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "ApiError";
    this.code = code;
    this.details = options.details ?? [];
    this.field = options.field;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}

/** A stored record with a missing or wrong part. Deleting or replacing it helps, a retry does not. */
export class DamagedRecord extends Error {
  constructor(id: unknown, damage: string) {
    super(`The stored record ${id} is damaged: ${damage}`);
    this.name = "DamagedRecord";
  }
}

export function validationError(details: readonly FieldError[]): ApiError {
  return new ApiError("ValidationError", "Request validation failed", { details });
}

/** The id is left out where the specification's message does not name it. */
export function notFound(resource: string, id?: number): ApiError {
  return new ApiError("NotFound", `${id === undefined ? resource : `${resource} with id ${id}`} not found`);
}

/** @throws ApiError `NotFound` if there is no record */
export function orNotFound<T>(record: T | undefined, what: string, id?: number): T {
  if (record === undefined) throw notFound(what, id);
  return record;
}

/** While all requests together read or write too much. @param ms until there is time for this one, if known */
export function tooManyRequests(ms = 0): ApiError {
  return new ApiError("TooManyRequests", "The service is too busy right now: retry later, or request less", {
    retryAfterSeconds: Math.ceil(ms / 1_000) + randomInt(1, 4),
  });
}

/** @param isWeak whether `If-Match` has the record's tag as a weak one, which reading it again may not change */
export function preconditionFailed(isWeak = false): ApiError {
  const advice = isWeak
    ? "a weak tag never matches: leave out the W/ that a compressing proxy has added"
    : "read it again and retry";
  return new ApiError("PreconditionFailed", `The record does not meet the precondition: ${advice}`);
}
