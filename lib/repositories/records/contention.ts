import { ApiError } from "../../domain/errors.ts";

/** How often an operation starts again because a record changed between its read and its write. */
export const MAX_ATTEMPTS = 10;

/** An operation that lost against concurrent writes too often. */
export function tooManyConflicts(cause?: unknown): ApiError {
  return new ApiError("ServiceUnavailable", "Too many concurrent changes, please try again", {
    cause,
    retryAfterSeconds: 1,
  });
}
