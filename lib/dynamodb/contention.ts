import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "../domain/errors.ts";

/** Attempts of an operation whose record changes between its read and its write. */
export const MAX_ATTEMPTS = 10;

/** Before the third and later attempts, waits a random part of 20, 40, 80 … and at most 400 ms. */
export async function backOff(attempt: number): Promise<void> {
  if (attempt > 2) await wait(Math.random() * Math.min(400, 2.5 * 2 ** attempt));
}

const MAX_RETRY_AFTER_SECONDS = 30;
const LOAD_WINDOW_MS = 10_000;
let losses: number[] = [];

/** For an operation that lost too often. `Retry-After` is random and grows with the losses of the last ten seconds. */
export function tooManyConflicts(cause?: unknown): ApiError {
  const now = Date.now();
  losses = [...losses.filter((time) => Math.abs(now - time) < LOAD_WINDOW_MS), now];
  return new ApiError("ServiceUnavailable", "Too many concurrent changes, please try again", {
    cause,
    retryAfterSeconds: 1 + randomInt(Math.min(MAX_RETRY_AFTER_SECONDS, losses.length)),
  });
}
