import * as z from "zod";
import { CommandError } from "../../cli/errors.ts";
import type { Sample } from "./generator.ts";
import { percentile, sorted } from "./statistics.ts";

/** The parts of a load's duration for which figures over time are computed. */
const SLICES = 12;
/** Upper bounds of the histogram's buckets in milliseconds; ten of them are a factor of ten. The last has none. */
export const bucketBounds = Array.from({ length: 50 }, (_, i) => 10 ** ((i + 1) / 10 - 1));

/** In milliseconds; null without requests. */
const Percentiles = z.object({
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
});
type Percentiles = z.output<typeof Percentiles>;

const RouteSummary = Percentiles.extend({
  route: z.string(),
  /** The part of the mix, from 0 to 1; null for all routes together. */
  share: z.number().nullable(),
  requests: z.int(),
  perSecond: z.number(),
  /** Unexpected responses by status, or `no response`. */
  errors: z.record(z.string(), z.int()),
  /** Requests by `bucketBounds`, and one more for slower ones. */
  histogram: z.array(z.int()),
  overTime: z.array(
    Percentiles.extend({ untilSecond: z.number(), requests: z.int(), errors: z.record(z.string(), z.int()) }),
  ),
});
export type RouteSummary = z.output<typeof RouteSummary>;

/** The result of a load, as `--json` writes it and `--baseline` reads it. */
const LoadSummary = z.object({
  format: z.literal("resource-api load 1"),
  url: z.string(),
  startedAt: z.string(),
  seconds: z.number(),
  connections: z.int(),
  /** The routes of the mix in its order, then `all`. */
  routes: z.array(RouteSummary).min(1),
});
export type LoadSummary = z.output<typeof LoadSummary>;

/**
 * Summarizes the requests of each route and of all routes.
 *
 * @param weights the relative frequency of each route, in the order of the result
 */
export function summarizeRoutes(
  samples: readonly Sample[],
  weights: ReadonlyMap<string, number>,
): RouteSummary[] {
  const milliseconds = Math.max(0, ...samples.map(({ at }) => at));
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const byRoute = Map.groupBy(samples, ({ route }) => route);
  return [
    ...[...weights].map(([route, weight]) =>
      summarize(route, weight / total, byRoute.get(route) ?? [], milliseconds),
    ),
    summarize("all", null, samples, milliseconds),
  ];
}

/** The summary of all routes together. */
export function allRoutes({ routes }: Pick<LoadSummary, "routes">): RouteSummary {
  const all = routes.at(-1);
  if (all === undefined) throw new Error("The summary has no routes");
  return all;
}

/**
 * Parses the text of an earlier summary.
 *
 * @throws {CommandError} if it is none
 */
export function parseSummary(text: string, file: string): LoadSummary {
  try {
    return LoadSummary.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandError(`${file} is no report that npm run load -- --json wrote.`, { cause: error });
  }
}

function summarize(
  route: string,
  share: number | null,
  samples: readonly Sample[],
  milliseconds: number,
): RouteSummary {
  const sliceMs = milliseconds / SLICES;
  const slices = Map.groupBy(samples, ({ at }) => Math.min(SLICES - 1, Math.floor(at / sliceMs)));
  const buckets = Map.groupBy(samples, ({ milliseconds }) => {
    const bucket = bucketBounds.findIndex((bound) => milliseconds <= bound);
    return bucket === -1 ? bucketBounds.length : bucket;
  });
  return {
    route,
    share,
    requests: samples.length,
    perSecond: milliseconds === 0 ? 0 : (1_000 * samples.length) / milliseconds,
    ...percentilesOf(samples),
    errors: errorsOf(samples),
    histogram: Array.from({ length: bucketBounds.length + 1 }, (_, i) => buckets.get(i)?.length ?? 0),
    overTime: Array.from({ length: SLICES }, (_, i) => {
      const slice = slices.get(i) ?? [];
      return {
        untilSecond: ((i + 1) * sliceMs) / 1_000,
        requests: slice.length,
        ...percentilesOf(slice),
        errors: errorsOf(slice),
      };
    }),
  };
}

function percentilesOf(samples: readonly Sample[]): Percentiles {
  const times = sorted(samples.map(({ milliseconds }) => milliseconds));
  const at = (share: number) => (times.length === 0 ? null : percentile(times, share));
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

function errorsOf(samples: readonly Sample[]): Record<string, number> {
  const unexpected = samples.filter(({ isExpected }) => !isExpected);
  const byStatus = Map.groupBy(unexpected, ({ status }) => String(status ?? "no response"));
  return Object.fromEntries([...byStatus].map(([status, { length }]) => [status, length]));
}
