import { logDamage } from "../../log/log.ts";

/** Clocks of functions differ by milliseconds, and the database says its time to the second. */
const MAX_DIFFERENCE_MS = 60_000;

/** Milliseconds to add to our clock; 0 while it agrees with the database. */
let correction = 0;

/** Our time, or that of the database if ours is off by more than a minute. */
export function currentTime(): Date {
  return new Date(Date.now() + correction);
}

/** Compares our clock with the `Date` header of a response, and logs if it is off (metric `damages`). */
export function compareClock(date: string | undefined): void {
  const difference = Date.parse(date ?? "") - Date.now();
  if (Number.isNaN(difference)) return;
  const isOff = Math.abs(difference) > MAX_DIFFERENCE_MS;
  if (isOff && correction === 0) logDamage("clock is off", 1, { milliseconds: -difference });
  correction = isOff ? difference : 0;
}
