/** The words for what is wrong with a value: stable, for programs (docs/errors.md). */
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

/** One way in which a request can fail its validation (docs/errors.md). */
export interface FieldError {
  /** Where the value was looked for, joined with dots: `body.title`, `query.page`, `body.0.quantity`. */
  readonly field: string;
  /** A sentence for people. It never repeats the value that was sent. */
  readonly message: string;
  readonly type: FieldErrorType;
}

/**
 * Every kind of failure that a client can meet; `lib/http/errors.ts` gives each its status. `Demonstration` is
 * the server error that one route shows on purpose: a real one is never thrown as a Failure.
 */
export type ErrorCode =
  | "InvalidArgument"
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "Conflict"
  | "PreconditionFailed"
  | "ValidationError"
  | "TooManyRequests"
  | "Demonstration"
  | "ServiceUnavailable";

interface ApiErrorOptions extends ErrorOptions {
  /** The failures of a validation, all of them. */
  readonly details?: readonly FieldError[];
  /** The field whose value is taken already (Conflict). */
  readonly field?: string;
  /** Response headers that belong to this failure, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The one error that code throws when a request cannot be answered as asked. It says what happened; the
 * status and the body in the area's dialect are chosen in `lib/http/errors.ts`. Anything else that is
 * thrown is a defect and answered with 500.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly FieldError[];
  readonly field: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.code = code;
    this.details = options.details ?? [];
    this.field = options.field;
    this.headers = options.headers ?? {};
  }
}

/**
 * Makes the failure of a request that does not fit its declaration.
 *
 * @param details what is wrong, every failure found
 */
export function validationError(details: readonly FieldError[]): ApiError {
  return new ApiError("ValidationError", "Request validation failed", { details });
}

/**
 * The failure of a request for what there is not.
 *
 * @param what a word for the record: `Todo`
 * @param id where the area's messages name it
 */
export function notFound(what: string, id?: number): ApiError {
  return new ApiError("NotFound", `${id === undefined ? what : `${what} with id ${id}`} not found`);
}

/** @throws ApiError `NotFound` if there is no record */
export function orNotFound<T>(record: T | undefined, what: string, id?: number): T {
  if (record === undefined) throw notFound(what, id);
  return record;
}

/** The failure of a write whose record is not, or no longer, the one that the client has seen. */
export function preconditionFailed(): ApiError {
  return new ApiError(
    "PreconditionFailed",
    "The record is not the one that the request names: it has changed",
  );
}
