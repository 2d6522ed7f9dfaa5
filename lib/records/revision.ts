import { randomBytes } from "node:crypto";
import { logDamage } from "../log/log.ts";

/** Base 36, of milliseconds: enough for the next 3,000 years. */
const TIME_DIGITS = 9;
const PROCESS = randomBytes(3).toString("base64url");

let sequence = 0;

/** Makes a unique text that sorts by time and, within a process, by creation; always behind `after`. */
export function newRevision(now = Date.now(), after = ""): string {
  sequence = (sequence + 1) % 36 ** 3;
  const time = after === "" ? now : Math.max(now, revisionTime(after) + 1);
  return time.toString(36).padStart(TIME_DIGITS, "0") + sequence.toString(36).padStart(3, "0") + PROCESS;
}

/** In milliseconds. */
export function revisionTime(revision: string): number {
  return Number.parseInt(revision.slice(0, TIME_DIGITS), 36);
}

const MAX_AHEAD_MS = 5 * 60_000;

/** Later than any stored time. */
export const NO_LIMIT = "9";

/** Later times come from a wrong clock. */
export function latestPlausible(now: Date): string {
  return new Date(now.getTime() + MAX_AHEAD_MS).toISOString();
}

/** Whether a stored time is far ahead of our clock, or is none. Logs it then. */
export function isFromWrongClock(stored: unknown, now: Date): boolean {
  const isPlausible = Date.parse(String(stored)) <= Date.parse(latestPlausible(now));
  if (!isPlausible) logDamage("stored time is far ahead of the clock", 1, { stored, now });
  return !isPlausible;
}

/** Not before the change before it, unless that comes from a wrong clock. */
export function timeOfChange(before: unknown, now: Date): string {
  const time = now.toISOString();
  return !isFromWrongClock(before, now) && String(before) > time ? String(before) : time;
}
