import { runCommand } from "../cli/command.ts";
import { random } from "../test/support/random.ts";
import { markdownTable } from "./markdown-table.ts";

/** Requests a minute to the whole service. */
const RATES = [1, 5, 10, 100, 1_000, 10_000];
/** Of the requests, those to the area in question; and of these, those to the route in question. */
const AREA_SHARE = 0.1;
const ROUTE_SHARE = 0.2;
/** The visitor calls each function once in five minutes, and one kind of record every minute. */
const VISITED_EVERY = 5;
/** What fails while nothing is wrong. */
const BACKGROUND = 0.0001;
const MINUTES = 24 * 60;

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
  { name: "nothing: false alarms in 30 days" },
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

/** An alarm of infra/monitoring/alarms.ts: it goes off if `breaching` of the last `evaluated` periods breach. */
function createAlarm(minutes: number, breaching: number, evaluated: number) {
  const periods: boolean[] = [];
  let [failed, slow, requests, visits] = [0, 0, 0, 0];
  return {
    add(
      minute: number,
      more: readonly [failed: number, slow: number, requests: number, visits: number],
      breaches: typeof isBurning,
    ) {
      [failed, slow, requests, visits] = [
        failed + more[0],
        slow + more[1],
        requests + more[2],
        visits + more[3],
      ];
      if ((minute + 1) % minutes !== 0) return false;
      periods.push(breaches(failed, slow, requests, visits));
      [failed, slow, requests, visits] = [0, 0, 0, 0];
      return periods.slice(-evaluated).filter(Boolean).length >= breaching;
    },
  };
}

function isBurning(failed: number, slow: number, requests: number, _visits: number): boolean {
  return requests > 0 && ((failed - 0.8) / requests >= 0.0144 || (slow >= 3 && slow / requests >= 0.144));
}
const isBurningSlowly: typeof isBurning = (failed, _, requests) => failed >= 3 && failed / requests >= 0.006;
const hasServerErrors: typeof isBurning = (failed, _, requests) => failed >= 5 && failed / requests >= 0.01;
const isVisitFailed: typeof isBurning = (failed, _, __, visits) => visits === 0 || failed > 0;

/** What a minute adds: failed, slow and all requests of the area, and failed and all requests of the service. */
function minuteOf(
  rate: number,
  { failing = 0, slow = 0, isSilent }: Partial<Fault>,
  visits: number,
  next: Random,
) {
  if (isSilent) return { area: [0, 0, 0, 0], service: [0, 0, 0, 0], visitor: [0, 0, 0, 0] } as const;
  const requests = poisson(rate * AREA_SHARE, next) + visits;
  const others = poisson(rate * (1 - AREA_SHARE), next);
  const failed = meeting(requests, Math.max(failing, BACKGROUND), next);
  const all = failed + meeting(others, BACKGROUND, next);
  return {
    area: [failed, meeting(requests, slow, next), requests, 0],
    service: [all, 0, requests + others, 0],
    visitor: [failing === 1 ? visits : 0, 0, 0, 1],
  } as const;
}

/** @returns the minute in which the first alarm goes off; undefined for none within a day */
function tell(rate: number, fault: Fault, hasVisitor: boolean, next: Random): number | undefined {
  const area = createAlarm(5, 2, 12);
  const service = createAlarm(5, 2, 3);
  const slowly = createAlarm(30, 3, 12);
  const visitor = createAlarm(5, 2, 3);
  // A fault begins in any minute of a period.
  const begin = Math.floor(next() * 30);
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const visits = hasVisitor && minute % VISITED_EVERY === 0 ? 1 : 0;
    const counts = minuteOf(rate, minute < begin ? {} : fault, visits, next);
    const told = [
      area.add(minute, counts.area, isBurning),
      service.add(minute, counts.service, hasServerErrors),
      slowly.add(minute, counts.service, isBurningSlowly),
      hasVisitor && visitor.add(minute, counts.visitor, isVisitFailed),
    ];
    if (told.some(Boolean)) return minute + 1 - begin;
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
    if (minutes >= 2) count += 1;
  }
  return count / rollouts;
}

await runCommand({
  name: "npm run bench:alarms",
  description:
    "Simulates the alarms of infra/monitoring/alarms.ts, and prints the tables of docs/adr/0032-service-levels.md.",
  options: {
    days: {
      type: "integer",
      min: 1,
      max: 10_000,
      default: 300,
      placeholder: "count",
      description: "simulated faults of each kind",
    },
    seed: {
      type: "integer",
      min: 1,
      max: 1_000_000,
      default: 1,
      placeholder: "number",
      description: "of the random numbers",
    },
  },
  async run({ days, seed }) {
    const { next } = random(seed);
    const half = (times: (number | undefined)[], part: number) => {
      const sorted = times.map((time) => time ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
      const at = sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
      return Number.isFinite(at) ? String(at) : "–";
    };
    const rows = faults.flatMap((fault) =>
      [true, false].map((hasVisitor) => [
        `${fault.name}${hasVisitor ? "" : ", no visitor"}`,
        ...RATES.map((rate) => {
          const isHealthy = fault.failing === undefined && !fault.slow && !fault.isSilent;
          const times = Array.from({ length: days }, () => tell(rate, fault, hasVisitor, next));
          if (isHealthy) return ((30 * times.filter((time) => time !== undefined).length) / days).toFixed(1);
          return `${half(times, 0.5)} / ${half(times, 0.99)}`;
        }),
      ]),
    );
    const headings = ["half / 99 % are told after, min", ...RATES.map(String)];
    process.stdout.write(`${markdownTable(headings, rows)}\n`);
    const rollouts = [true, false].map((hasVisitor) => [
      hasVisitor ? "with the visitor" : "without",
      ...RATES.map((rate) => `${(100 * rolledBack(rate, hasVisitor, next, 1_000)).toFixed(1)} %`),
    ]);
    process.stdout.write(markdownTable(["rollouts that end, of 1,000", ...RATES.map(String)], rollouts));
    return 0;
  },
});
