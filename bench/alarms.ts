import { runCommand } from "../cli/command.ts";
import {
  anyOrSilence,
  fastBurn,
  onePercent,
  slowBurn,
  tenPercentInTwoMinutes,
} from "../infra/monitoring/alarms.ts";
import { SLOW_SHARE } from "../infra/settings/objectives.ts";
import { random } from "../test/support/random.ts";
import { markdownTable } from "./markdown-table.ts";

/** Requests a minute to the whole service. */
const RATES = [1, 5, 10, 100, 1_000, 10_000];
/** Of the requests, those to the area in question; and of these, those to the route in question. */
const AREA_SHARE = 0.1;
const ROUTE_SHARE = 0.2;
/** The allowance of an area. */
const FAILING_SHARE = 0.001;
/** The visitor calls each function once in five minutes, and one kind of record every minute. */
const VISITED_EVERY = 5;
/** What fails while nothing is wrong. */
const BACKGROUND = 0.0001;
const DAY = 24 * 60;
/** Simulated faults of each kind. */
const DAYS = 100;

interface Fault {
  readonly name: string;
  /** The share of the area's requests that fail, or are slow. */
  readonly failing?: number;
  readonly slow?: number;
  readonly isSilent?: boolean;
}

const faults: readonly Fault[] = [
  { name: "dead function", failing: 1 },
  { name: "dead route", failing: ROUTE_SHARE },
  { name: "slow route", slow: ROUTE_SHARE },
  { name: "total silence", isSilent: true },
];

type Random = () => number;

/** How many of many requests meet a chance: exact for few, and Poisson's or normal approximation for many. */
function meeting(requests: number, chance: number, next: Random): number {
  const mean = requests * chance;
  if (requests > 1_000 && mean > 50) return Math.round(mean + Math.sqrt(mean * (1 - chance)) * normal(next));
  if (requests > 1_000) return poisson(mean, next);
  let count = 0;
  for (let i = 0; i < requests; i += 1) if (next() < chance) count += 1;
  return count;
}

function poisson(mean: number, next: Random): number {
  if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(next)));
  let [count, product] = [0, next()];
  for (const limit = Math.exp(-mean); product > limit; product *= next()) count += 1;
  return count;
}

function normal(next: Random): number {
  return Math.sqrt(-2 * Math.log(next() || 1e-9)) * Math.cos(2 * Math.PI * next());
}

/** Failed, slow and all requests. */
type Counts = readonly [failed: number, slow: number, requests: number];

/** An alarm of infra/monitoring/alarms.ts. CloudWatch evaluates it each minute, over the periods that end then. */
function createAlarm(
  minutes: number,
  { threshold, breaching, evaluated }: typeof fastBurn,
  value: (...counts: Counts) => number,
) {
  const sums: Counts[] = [[0, 0, 0]];
  return (counts: Counts): boolean => {
    const [failed, slow, requests] = sums.at(-1) ?? counts;
    sums.push([failed + counts[0], slow + counts[1], requests + counts[2]]);
    let breached = 0;
    for (let end = sums.length - 1, i = 0; i < evaluated && end >= minutes; end -= minutes, i += 1) {
      const [to, from] = [sums[end], sums[end - minutes]] as [Counts, Counts];
      if (value(to[0] - from[0], to[1] - from[1], to[2] - from[2]) >= threshold) breached += 1;
    }
    return breached >= breaching;
  };
}

const burnRate = (failed: number, slow: number, requests: number) =>
  requests === 0
    ? 0
    : Math.max((failed - 0.8) / requests / FAILING_SHARE, slow < 3 ? 0 : slow / requests / SLOW_SHARE);
const errorShare = (minimum: number) => (failed: number, _: number, requests: number) =>
  failed < minimum ? 0 : failed / requests;
const failedVisits = (failed: number, _: number, visits: number) => (visits === 0 ? 1 : failed);

/** What a minute adds to the area, to the service and to the visitor. */
function minuteOf(
  rate: number,
  { failing = 0, slow = 0, isSilent }: Partial<Fault>,
  visits: number,
  next: Random,
): Readonly<Record<"area" | "service" | "visitor", Counts>> {
  if (isSilent) return { area: [0, 0, 0], service: [0, 0, 0], visitor: [0, 0, 0] };
  const requests = poisson(rate * AREA_SHARE, next) + visits;
  const others = poisson(rate * (1 - AREA_SHARE), next);
  const failed = meeting(requests, Math.max(failing, BACKGROUND), next);
  const all = failed + meeting(others, BACKGROUND, next);
  return {
    area: [failed, meeting(requests, slow, next), requests],
    service: [all, 0, requests + others],
    visitor: [failing === 1 ? visits : 0, 0, 1],
  };
}

/** @returns the minute in which the first alarm goes off; undefined for none within a day */
function tell(rate: number, fault: Partial<Fault>, hasVisitor: boolean, next: Random): number | undefined {
  const area = createAlarm(5, fastBurn, burnRate);
  const service = createAlarm(5, onePercent, errorShare(5));
  const slowly = createAlarm(30, slowBurn, errorShare(3));
  const visitor = createAlarm(5, anyOrSilence, failedVisits);
  // A fault begins in any minute between two visits.
  const begin = 30 + Math.floor(next() * VISITED_EVERY);
  for (let minute = 0; minute < DAY; minute += 1) {
    const visits = hasVisitor && minute % VISITED_EVERY === 0 ? 1 : 0;
    const counts = minuteOf(rate, minute < begin ? {} : fault, visits, next);
    const told = [
      area(counts.area),
      service(counts.service),
      slowly(counts.service),
      hasVisitor && visitor(counts.visitor),
    ];
    if (told.some(Boolean)) return Math.max(0, minute + 1 - begin);
  }
  return undefined;
}

/** The share of rollouts of a version that fails everything which its alarm ends within five minutes. */
function rolledBack(rate: number, hasVisitor: boolean, next: Random, rollouts: number): number {
  let count = 0;
  for (let i = 0; i < rollouts; i += 1) {
    let minutes = 0;
    // The last minute's metrics may arrive after the end.
    for (let minute = 0; minute < 4; minute += 1) {
      const requests = poisson(rate * AREA_SHARE, next) + (hasVisitor ? 60 : 0);
      if (meeting(requests, 0.1, next) > 0) minutes += 1;
    }
    if (minutes >= tenPercentInTwoMinutes.breaching) count += 1;
  }
  return count / rollouts;
}

await runCommand({
  name: "npm run bench:alarms",
  description: "Simulates the alarms of infra/monitoring/alarms.ts, and prints docs/figures/alarms.md.",
  async run() {
    const { next } = random(1);
    const times = (rate: number, fault: Partial<Fault>, hasVisitor: boolean) =>
      Array.from({ length: DAYS }, () => tell(rate, fault, hasVisitor, next) ?? Number.POSITIVE_INFINITY);
    const within = (sorted: readonly number[], part: number) =>
      sorted[Math.ceil(part * sorted.length) - 1]?.toString().replace("Infinity", "–");
    const row = (name: string, cell: (rate: number, hasVisitor: boolean) => string) =>
      [true, false].map((hasVisitor) => [
        `${name}${hasVisitor ? "" : ", no visitor"}`,
        ...RATES.map((rate) => cell(rate, hasVisitor)),
      ]);
    const headings = (what: string) => [
      `${what}, at so many requests a minute`,
      ...RATES.map((rate) => rate.toLocaleString("en")),
    ];
    const told = faults.flatMap((fault) =>
      row(fault.name, (rate, hasVisitor) => {
        const sorted = times(rate, fault, hasVisitor).sort((a, b) => a - b);
        return `${within(sorted, 0.5)}/${within(sorted, 0.99)}`;
      }),
    );
    const falseAlarms = row("false alarms in 30 days", (rate, hasVisitor) =>
      ((30 * times(rate, {}, hasVisitor).filter(Number.isFinite).length) / DAYS).toFixed(1),
    );
    const ended = row("rollouts that end, of 1,000", (rate, hasVisitor) =>
      (1_000 * rolledBack(rate, hasVisitor, next, 1_000)).toFixed(0),
    );
    process.stdout.write(
      "# Alarms\n\nPrinted by `npm run --silent bench:alarms`; [ADR 32](../adr/0032-service-levels.md) explains it.\n\n",
    );
    process.stdout.write(markdownTable(headings("Half/99 % are told after … minutes"), told));
    process.stdout.write(`\n${markdownTable(headings("Others"), [...falseAlarms, ...ended])}`);
    return 0;
  },
});
