import { logDamage } from "../../log/log.ts";

/** Clocks of functions differ by milliseconds, and the database says its time to the second. */
const MAX_DIFFERENCE_MS = 60_000;

/** What to add to our clock, in milliseconds; 0 while it agrees with the database's. */
let correction = 0;

/** The current time: that of our clock, unless it is off by more than a minute; then the database's. */
export function currentTime(): Date {
  return new Date(Date.now() + correction);
}

/**
 * Compares our clock with the database's. If it is off, says so in the log, with the metric `damages` that an alarm
 * checks.
 *
 * @param date the `Date` header of a response
 */
export function compareClock(date: string | undefined): void {
  const difference = Date.parse(date ?? "") - Date.now();
  if (Number.isNaN(difference)) return;
  const isOff = Math.abs(difference) > MAX_DIFFERENCE_MS;
  if (isOff && correction === 0) logDamage("clock is off", 1, { milliseconds: -difference });
  correction = isOff ? difference : 0;
}
