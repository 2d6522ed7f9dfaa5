import { logDamage } from "../../log/log.ts";

/** How far a stored time may be ahead of our clock. The clocks of functions differ by milliseconds. */
const MAX_AHEAD_MS = 5 * 60_000;

/** Later than any stored time. */
export const NO_LIMIT = "9";

/** Later times come from a wrong clock. */
export function latestPlausible(now: Date): string {
  return new Date(now.getTime() + MAX_AHEAD_MS).toISOString();
}

/** Whether a stored time comes from a wrong clock, because it is far ahead of ours or is none. Logs it then. */
export function isFromWrongClock(stored: unknown, now: Date): boolean {
  const isPlausible = Date.parse(String(stored)) <= Date.parse(latestPlausible(now));
  if (!isPlausible) logDamage("stored time is far ahead of the clock", 1, { stored, now });
  return !isPlausible;
}

/** The time of a change, which is not before that of the change before it unless that comes from a wrong clock. */
export function timeOfChange(before: unknown, now: Date): string {
  const time = now.toISOString();
  return !isFromWrongClock(before, now) && String(before) > time ? String(before) : time;
}
