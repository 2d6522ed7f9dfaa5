import { type Column, textTable } from "../cli/table.ts";
import type { Sample } from "./generator.ts";
import { percentile, sorted } from "./statistics.ts";

/** How many lines the chart has. */
const SLICES = 12;
const BAR = 30;

export const routeColumns: readonly Column[] = [
  { heading: "Route" },
  ...["Share", "Requests", "/s", "p50 ms", "p90 ms", "p99 ms", "max ms"].map((heading) => ({
    heading,
    isNumeric: true,
  })),
  { heading: "Errors" },
];

/**
 * The figures of every route, and of all of them.
 *
 * @param samples what became of the requests
 * @param weights of the routes, in the order of the rows
 * @returns a row for each of `routeColumns`
 */
export function routeRows(samples: readonly Sample[], weights: ReadonlyMap<string, number>): string[][] {
  const seconds = Math.max(0, ...samples.map(({ at }) => at)) / 1000;
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const row = (name: string, share: string, of: readonly Sample[]) => {
    const times = sorted(of.map(({ milliseconds }) => milliseconds));
    const figures = [0.5, 0.9, 0.99, 1].map((part) => inMs(percentile(times, part)));
    return [name, share, String(of.length), (of.length / seconds).toFixed(1), ...figures, errorsOf(of)];
  };
  return [
    ...[...weights].map(([route, weight]) =>
      row(
        route,
        `${Math.round((100 * weight) / total)} %`,
        samples.filter((sample) => sample.route === route),
      ),
    ),
    row("all", "", samples),
  ];
}

/**
 * Writes what a load has found: the figures of every route, and how rate and times went as it grew.
 *
 * @param samples what became of the requests
 * @param weights of the routes
 */
export function report(samples: readonly Sample[], weights: ReadonlyMap<string, number>): string {
  if (samples.length === 0) return "No request was sent.\n";
  return `${textTable(routeColumns, routeRows(samples, weights))}\n${chart(samples)}`;
}

function chart(samples: readonly Sample[]): string {
  const sliceMs = Math.max(...samples.map(({ at }) => at)) / SLICES;
  const slices = Array.from({ length: SLICES }, (_, at) =>
    samples.filter((sample) => Math.min(SLICES - 1, Math.floor(sample.at / sliceMs)) === at),
  );
  const most = Math.max(...slices.map((slice) => slice.length));
  const columns = [
    { heading: "until s", isNumeric: true },
    { heading: "/s", isNumeric: true },
    { heading: "Requests".padEnd(BAR) },
    { heading: "p50 ms", isNumeric: true },
    { heading: "p99 ms", isNumeric: true },
    { heading: "Errors" },
  ];
  return textTable(
    columns,
    slices.map((slice, at) => {
      const times = sorted(slice.map(({ milliseconds }) => milliseconds));
      return [
        (((at + 1) * sliceMs) / 1000).toFixed(1),
        ((1000 * slice.length) / sliceMs).toFixed(0),
        "█".repeat(Math.round((BAR * slice.length) / most)),
        inMs(percentile(times, 0.5)),
        inMs(percentile(times, 0.99)),
        errorsOf(slice),
      ];
    }),
  );
}

function inMs(value: number): string {
  return Number.isNaN(value) ? "" : value.toFixed(value < 10 ? 1 : 0);
}

/** The answers that were not as they should be, by status: `500 ×2, no answer ×1`. */
function errorsOf(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const { status, isExpected } of samples) {
    const name = status === undefined ? "no answer" : String(status);
    if (!isExpected) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} ×${count}`).join(", ");
}
