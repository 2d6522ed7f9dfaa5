import { randomBytes } from "node:crypto";

/** The digits of a time in milliseconds, to base 36: enough for the next 3,000 years. */
const TIME_DIGITS = 9;
/** What the names of attributes begin with that say what a write has done, so that a late attempt does not repeat it. */
export const ENTRY_PREFIX = "@";
const PROCESS = randomBytes(3).toString("base64url");

let sequence = 0;

/**
 * Makes a unique text that sorts by time and, within a millisecond, by the order in which a process made it.
 *
 * @param now in milliseconds
 * @param after another such text, perhaps of a clock that is ahead; the result sorts behind it
 */
export function newRevision(now = Date.now(), after = ""): string {
  sequence = (sequence + 1) % 36 ** 3;
  const time = after === "" ? now : Math.max(now, revisionTime(after) + 1);
  return time.toString(36).padStart(TIME_DIGITS, "0") + sequence.toString(36).padStart(3, "0") + PROCESS;
}

/** The time of a revision, in milliseconds. */
export function revisionTime(revision: string): number {
  return Number.parseInt(revision.slice(0, TIME_DIGITS), 36);
}
