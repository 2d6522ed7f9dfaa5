import * as z from "zod";
import { CommandError } from "../../cli/errors.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import type { MixEntry } from "./requests.ts";

export interface Sample {
  readonly route: string;
  readonly status: number | undefined;
  readonly isExpected: boolean;
  readonly milliseconds: number;
  /** End of the request, in milliseconds since the start of the load. */
  readonly at: number;
}

/** The parts of a load's duration for which figures over time are computed. */
const SLICES = 12;

/** In milliseconds; null with too few requests, when a percentile would be the slowest one. */
const percentiles = { p50: z.number().nullable(), p90: z.number().nullable(), p99: z.number().nullable() };

const RouteSummary = z.object({
  route: z.string(),
  share: z.number().nullable(),
  requests: z.int(),
  perSecond: z.number(),
  ...percentiles,
  max: z.number().nullable(),
  /** Unexpected responses by status, or `no response`. */
  errors: z.record(z.string(), z.int()),
});
export type RouteSummary = z.output<typeof RouteSummary>;

const LoadFigures = z.object({
  seconds: z.number(),
  routes: z.array(RouteSummary),
  all: RouteSummary,
  overTime: z.array(z.object({ untilSecond: z.number(), requests: z.int(), ...percentiles })),
});
export type LoadFigures = z.output<typeof LoadFigures>;

export const LOAD_FORMAT = `${SERVICE_NAME} load 1`;

/** The result of a load, as `--json` writes it and `--baseline` reads it. */
const LoadSummary = LoadFigures.extend({
  format: z.literal(LOAD_FORMAT),
  url: z.string(),
  startedAt: z.string(),
  connections: z.int(),
});
export type LoadSummary = z.output<typeof LoadSummary>;

/** @param samples in the order in which they ended */
export function summarize(
  samples: readonly Sample[],
  entries: readonly Pick<MixEntry, "route" | "weight">[],
): LoadFigures {
  const seconds = (samples.at(-1)?.at ?? 0) / 1_000;
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  const byRoute = Map.groupBy(samples, ({ route }) => route);
  const slices = Map.groupBy(samples, ({ at }) =>
    Math.min(SLICES - 1, Math.floor((SLICES * at) / 1_000 / seconds)),
  );
  return {
    seconds,
    routes: entries.map(({ route, weight }) =>
      summarizeRoute(route, weight / total, byRoute.get(route) ?? [], seconds),
    ),
    all: summarizeRoute("all", null, samples, seconds),
    overTime: Array.from({ length: SLICES }, (_, i) => {
      const slice = slices.get(i) ?? [];
      const untilSecond = ((i + 1) * seconds) / SLICES;
      return { untilSecond, requests: slice.length, ...percentilesOf(slice) };
    }),
  };
}

/** @throws {CommandError} if the text is no summary */
export function parseSummary(text: string, file: string): LoadSummary {
  try {
    return LoadSummary.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandError(`${file} is no report that npm run load -- --json wrote.`, { cause: error });
  }
}

function summarizeRoute(
  route: string,
  share: number | null,
  samples: readonly Sample[],
  seconds: number,
): RouteSummary {
  const unexpected = samples.filter(({ isExpected }) => !isExpected);
  const errors = Map.groupBy(unexpected, ({ status }) => String(status ?? "no response"));
  return {
    route,
    share,
    requests: samples.length,
    perSecond: seconds === 0 ? 0 : samples.length / seconds,
    ...percentilesOf(samples),
    max: samples.reduce<number | null>((max, { milliseconds }) => Math.max(max ?? 0, milliseconds), null),
    errors: Object.fromEntries([...errors].map(([status, { length }]) => [status, length])),
  };
}

function percentilesOf(samples: readonly Sample[]) {
  const times = samples.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  // By the nearest-rank method.
  const at = (percent: number) =>
    times.length * (100 - percent) < 100
      ? null
      : (times[Math.ceil((percent / 100) * times.length) - 1] ?? null);
  return { p50: at(50), p90: at(90), p99: at(99) };
}
