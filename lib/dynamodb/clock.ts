import { logDamage } from "../log/log.ts";

/** When AWS responded last: its time, to the second, and ours. */
const lastResponse: { date?: string; receivedAt: number } = { receivedAt: 0 };

/** Keeps the time of a response, within a middleware of a client. @returns the argument */
export function noteDate<T extends { readonly response: unknown }>(result: T): T {
  const { headers } = result.response as { headers?: Record<string, string> };
  Object.assign(lastResponse, { date: headers?.date, receivedAt: Date.now() });
  return result;
}

/** Clocks of functions differ by milliseconds, and the database says its time to the second. */
const MAX_DIFFERENCE_MS = 60_000;

/** Milliseconds to add to our clock; 0 while it agrees with the database. */
let correction = 0;

/**
 * Our time, or that of the database if ours was off by more than a minute when it answered last. Logs when
 * that begins (metric `damages`).
 */
export function currentTime(): Date {
  const difference = Date.parse(lastResponse.date ?? "") - lastResponse.receivedAt;
  if (!Number.isNaN(difference)) {
    const isOff = Math.abs(difference) > MAX_DIFFERENCE_MS;
    if (isOff && correction === 0) logDamage("clock is off", 1, { milliseconds: -difference });
    correction = isOff ? difference : 0;
  }
  return new Date(Date.now() + correction);
}
