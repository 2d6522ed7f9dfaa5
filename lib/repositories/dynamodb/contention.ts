import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { ApiError } from "../../domain/errors.ts";

/** How often an operation starts again because a record changed between its read and its write. */
export const MAX_ATTEMPTS = 10;

/** Waits before the third and later attempts, a random part of 20, 40, 80 … and at most 400 ms. */
export async function backOff(attempt: number): Promise<void> {
  if (attempt > 2) await wait(Math.random() * Math.min(400, 2.5 * 2 ** attempt));
}

const MAX_RETRY_AFTER_SECONDS = 30;
const LOAD_WINDOW_MS = 10_000;
/** When operations of this process lost, within the window. */
let losses: number[] = [];

/**
 * An operation that lost against concurrent writes too often. Clients that are refused together shall not come back
 * together: `Retry-After` is random, from 1 s up to a limit that grows with the losses of the last ten seconds.
 */
export function tooManyConflicts(cause?: unknown): ApiError {
  const now = Date.now();
  losses = [...losses.filter((time) => Math.abs(now - time) < LOAD_WINDOW_MS), now];
  return new ApiError("ServiceUnavailable", "Too many concurrent changes, please try again", {
    cause,
    retryAfterSeconds: 1 + randomInt(Math.min(MAX_RETRY_AFTER_SECONDS, losses.length)),
  });
}
