import type { MixEntry } from "./requests.ts";

export interface Sample {
  readonly route: string;
  readonly status: number | undefined;
  readonly isExpected: boolean;
  readonly milliseconds: number;
  /** End of the request, in milliseconds since the start of the load. */
  readonly at: number;
}

/** In milliseconds; null with too few requests, when a percentile would be the slowest one. */
interface Percentiles {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
}

export interface RouteSummary extends Percentiles {
  readonly route: string;
  readonly share: number | null;
  readonly requests: number;
  readonly perSecond: number;
  readonly max: number | null;
  /** Unexpected responses by status, or `no response`. */
  readonly errors: Readonly<Record<string, number>>;
}

export interface LoadFigures {
  readonly seconds: number;
  readonly routes: readonly RouteSummary[];
  readonly all: RouteSummary;
}

/** @param samples in the order in which they ended */
export function summarize(
  samples: readonly Sample[],
  entries: readonly Pick<MixEntry, "route" | "weight">[],
): LoadFigures {
  const seconds = (samples.at(-1)?.at ?? 0) / 1_000;
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  const byRoute = Map.groupBy(samples, ({ route }) => route);
  return {
    seconds,
    routes: entries.map(({ route, weight }) =>
      summarizeRoute(route, weight / total, byRoute.get(route) ?? [], seconds),
    ),
    all: summarizeRoute("all", null, samples, seconds),
  };
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

function percentilesOf(samples: readonly Sample[]): Percentiles {
  const times = samples.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  // By the nearest-rank method.
  const at = (percent: number) =>
    times.length * (100 - percent) < 100
      ? null
      : (times[Math.ceil((percent / 100) * times.length) - 1] ?? null);
  return { p50: at(50), p90: at(90), p99: at(99) };
}
