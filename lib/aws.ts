import { ApiError } from "./domain/errors.ts";

/**
 * Per attempt. Three attempts with the SDK's back-off stay under half of a function's 20 s, so that a
 * request which needs two calls in sequence still answers 503 by itself. The request's time-out is that of the
 * answer's beginning. An answer that stalls half-way is the socket's matter: it has longer, since a process that
 * reads many large answers at once leaves one waiting, and three attempts still end before the function does.
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

/** The same for those who work on a deployment: they may sit far from the region, and have more time than a request. */
export const operatorClientConfig = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
} as const;

const UNAVAILABLE = new Set([
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "ThrottlingException",
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

/**
 * Tells whether a call failed because the service could not be reached, had no capacity or broke down.
 *
 * @param error anything that an SDK's client throws
 */
export function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code, $metadata } = error as { code?: string; $metadata?: { httpStatusCode?: number } };
  const isServerError = ($metadata?.httpStatusCode ?? 0) >= 500;
  return isServerError || UNAVAILABLE.has(error.name) || UNAVAILABLE.has(code ?? "");
}

/**
 * The failure of a request that needs what cannot be reached.
 *
 * @param what the service, as the client may know it: `The database`
 * @param cause the SDK's error, for the log
 */
export function unavailable(what: string, cause?: Error): ApiError {
  return new ApiError("ServiceUnavailable", `${what} cannot be reached right now, please try again`, {
    cause,
    headers: { "retry-after": "1" },
  });
}
