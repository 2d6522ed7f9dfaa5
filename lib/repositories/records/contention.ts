import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "../../domain/errors.ts";

/** How often an operation starts again because a record changed between its read and its write. */
export const MAX_ATTEMPTS = 10;

/** Waits before the third and later attempts, a random part of 20, 40, 80 … and at most 400 ms. */
export async function backOff(attempt: number): Promise<void> {
  if (attempt > 2) await wait(Math.random() * Math.min(400, 2.5 * 2 ** attempt));
}

/** An operation that lost against concurrent writes too often. */
export function tooManyConflicts(cause?: unknown): ApiError {
  return new ApiError("ServiceUnavailable", "Too many concurrent changes, please try again", {
    cause,
    retryAfterSeconds: 1,
  });
}
