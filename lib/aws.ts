import { ApiError } from "./domain/errors.ts";

/**
 * For the functions. Three attempts take less than half of a function's 20 s, so that a request with two
 * calls in sequence still responds with 503. `socketTimeout` ends a stalled response; it is longer than
 * `requestTimeout` because a process that reads many large responses lets one wait.
 */
export const requestClientConfig = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 2_000,
    throwOnRequestTimeout: true,
    socketTimeout: 5_000,
  },
} as const;

/** For the operators' commands, which may run far from the region and have more time. */
export const operatorClientConfig = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
} as const;

const THROTTLING_ERRORS = [
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
];

const UNAVAILABLE_ERRORS = new Set([
  ...THROTTLING_ERRORS,
  "TransactionConflictException",
  "TransactionCanceledException",
  "TransactionInProgressException",
  "InternalServerError",
  "ServiceUnavailable",
  "TimeoutError",
  "AbortError",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

/** Whether a call of the SDK failed because the service was unreachable, throttled or broken. */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  const isServerError = ($metadata?.httpStatusCode ?? 0) >= 500;
  return isServerError || UNAVAILABLE_ERRORS.has(error.name) || UNAVAILABLE_ERRORS.has(code ?? "");
}

export function isThrottled(error: unknown): boolean {
  return error instanceof Error && THROTTLING_ERRORS.includes(error.name);
}

/** @param what the service as shown to clients, for example `The database` @param cause only logged */
export function unavailable(what: string, cause?: Error): ApiError {
  return new ApiError("ServiceUnavailable", `${what} is unavailable right now; try again`, {
    cause,
    retryAfterSeconds: 1,
  });
}
