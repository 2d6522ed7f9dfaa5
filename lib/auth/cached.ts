import { ApiError } from "../domain/errors.ts";

/** Returns the value. `fresh` reads it again, at most once in an interval. @throws what reading it throws */
export type Cached<T> = (freshness?: "fresh") => Promise<T>;

/**
 * Reads a value when it is first needed, and again after a time. While reading throws an ApiError, the value stays in
 * use. Concurrent calls share one attempt.
 * @param minIntervalMs between attempts, once there is a value
 */
export function cached<T>(
  read: () => Promise<T>,
  now: () => number,
  rereadAfterMs: number,
  minIntervalMs: number,
): Cached<T> {
  let value: T | undefined;
  let readAt = 0;
  let triedAt = 0;
  let reading: Promise<T> | undefined;

  async function readAgain(): Promise<T> {
    triedAt = now();
    try {
      value = await read();
      readAt = now();
      return value;
    } catch (error) {
      if (value !== undefined && error instanceof ApiError) return value;
      throw error;
    }
  }

  return async (freshness) => {
    const isDue = freshness === "fresh" || Math.abs(now() - readAt) >= rereadAfterMs;
    if (value !== undefined && !isDue) return value;
    if (value !== undefined && !reading && Math.abs(now() - triedAt) < minIntervalMs) return value;
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
