const MINUTES: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440 };
const days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/**
 * Whether a schedule is due in a minute, by EventBridge's rules. Rates count from 1970.
 *
 * @param schedule such as `rate(5 minutes)` or `cron(0 6 ? * MON-FRI *)`
 * @throws Error for other texts, also with EventBridge's `L`, `W` and `#`
 */
export function isDue(schedule: string, time: Date): boolean {
  const [, kind, text = ""] = /^(rate|cron)\((.*)\)$/.exec(schedule) ?? [];
  const fields = text.trim().split(/\s+/);
  const [count, unit = ""] = fields;
  const minutes = Number(count) * (MINUTES[unit.replace(/s$/, "")] ?? Number.NaN);
  if (kind === "rate" && minutes > 0) return Math.floor(time.getTime() / 60_000) % minutes === 0;
  if (kind !== "cron" || fields.length !== 6) throw new Error(`${schedule} is no schedule`);
  const values = [
    ...[time.getUTCMinutes(), time.getUTCHours(), time.getUTCDate(), time.getUTCMonth() + 1],
    ...[time.getUTCDay() + 1, time.getUTCFullYear()],
  ];
  return values.every((value, i) => fields[i]?.split(",").some((part) => includes(part, value)));
}

/** Whether a part of a field, such as `*`, `MON-FRI` or `0/15`, includes a value. */
function includes(part: string, value: number): boolean {
  const numbers = part.replaceAll(/[A-Z]{3}/g, (name) =>
    String(days.indexOf(name) + 1 || months.indexOf(name) + 1),
  );
  const [, from, to, step] = /^(\*|\?|\d+)(?:-(\d+))?(?:\/(\d+))?$/.exec(numbers) ?? [];
  if (from === undefined) throw new Error(`${part} is not supported in a schedule`);
  const isAny = from === "*" || from === "?";
  const first = isAny ? 0 : Number(from);
  const last = Number(to ?? (isAny || step !== undefined ? Number.POSITIVE_INFINITY : from));
  return value >= first && value <= last && (value - first) % Number(step ?? 1) === 0;
}
