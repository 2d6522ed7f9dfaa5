import { randomBytes } from "node:crypto";

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

export function revisionTime(revision: string): number {
  return Number.parseInt(revision.slice(0, TIME_DIGITS), 36);
}

/** Not before the change before it. @param before ISO 8601 */
export function timeOfChange(before: unknown, now: Date): string {
  return [String(before), now.toISOString()].sort()[1] as string;
}
