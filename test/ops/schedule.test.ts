import { expect, it } from "vitest";
import { isDue } from "../../ops/schedule.ts";

// A Thursday.
const noon = "2026-11-26T12:00:00Z";

it.each([
  ["rate(1 minute)", "2026-11-26T12:01:30Z", true],
  ["rate(5 minutes)", "2026-11-26T12:05:00Z", true],
  ["rate(5 minutes)", "2026-11-26T12:06:00Z", false],
  ["rate(1 day)", "2026-11-26T00:00:59Z", true],
  ["cron(0 12 * * ? *)", noon, true],
  ["cron(0 12 ? * MON-FRI *)", noon, true],
  ["cron(0 12 ? * SAT,SUN *)", noon, false],
  ["cron(0/15 * * NOV ? 2026)", "2026-11-26T12:45:00Z", true],
  ["cron(0/15 * * NOV ? 2026)", "2026-11-26T12:50:00Z", false],
  ["cron(5/15 * * * ? *)", noon, false],
  ["cron(*/20 * 1,26 * ? *)", "2026-11-26T12:40:00Z", true],
  ["cron(0 12 * JAN-MAR ? *)", noon, false],
])("%s at %s: %s", (schedule, time, expected) => {
  expect(isDue(schedule, new Date(time))).toBe(expected);
});

const invalid = ["rate(5 weeks)", "rate(0 minutes)", "cron(0 12 * * ?)", "cron(0 12 L * ? *)", "daily"];
it.each(invalid)("%s is refused", (schedule) => {
  expect(() => isDue(schedule, new Date(noon))).toThrow(/is no schedule|is not supported/);
});
