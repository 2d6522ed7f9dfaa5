import { type Column, textTable } from "../cli/table.ts";
import type { Sample } from "./generator.ts";
import { percentile, sorted } from "./statistics.ts";

/** Rows of the chart. */
const SLICES = 12;
/** Characters. */
const BAR_WIDTH = 30;

/** The columns of `routeRows`. */
export const routeColumns: readonly Column[] = [
  { heading: "Route" },
  ...["Share", "Requests", "/s", "p50 ms", "p90 ms", "p99 ms", "max ms"].map((heading) => ({
    heading,
    isNumeric: true,
  })),
  { heading: "Errors" },
];

/**
 * Computes throughput, percentiles and errors of each route and in total.
 *
 * @param weights the relative frequency of each route, in the order of the rows
 * @returns rows with a cell for each of `routeColumns`
 */
export function routeRows(samples: readonly Sample[], weights: ReadonlyMap<string, number>): string[][] {
  const seconds = Math.max(0, ...samples.map(({ at }) => at)) / 1000;
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const row = (name: string, share: string, group: readonly Sample[]) => {
    const times = sorted(group.map(({ milliseconds }) => milliseconds));
    const figures = [0.5, 0.9, 0.99, 1].map((part) => formatMs(percentile(times, part)));
    return [
      name,
      share,
      String(group.length),
      (group.length / seconds).toFixed(1),
      ...figures,
      errorsOf(group),
    ];
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

/** Formats the result of a load: a table of the routes, and a chart of throughput and response times over time. */
export function loadReport(samples: readonly Sample[], weights: ReadonlyMap<string, number>): string {
  if (samples.length === 0) return "No requests were sent.\n";
  return `${textTable(routeColumns, routeRows(samples, weights))}\n${chart(samples)}`;
}

function chart(samples: readonly Sample[]): string {
  const sliceMs = Math.max(...samples.map(({ at }) => at)) / SLICES;
  const slices = Array.from({ length: SLICES }, (_, at) =>
    samples.filter((sample) => Math.min(SLICES - 1, Math.floor(sample.at / sliceMs)) === at),
  );
  const largest = Math.max(...slices.map((slice) => slice.length));
  const columns = [
    { heading: "until s", isNumeric: true },
    { heading: "/s", isNumeric: true },
    { heading: "Requests".padEnd(BAR_WIDTH) },
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
        "█".repeat(Math.round((BAR_WIDTH * slice.length) / largest)),
        formatMs(percentile(times, 0.5)),
        formatMs(percentile(times, 0.99)),
        errorsOf(slice),
      ];
    }),
  );
}

function formatMs(value: number): string {
  return Number.isNaN(value) ? "" : value.toFixed(value < 10 ? 1 : 0);
}

/** Unexpected responses by status: `500 ×2, no response ×1`. */
function errorsOf(samples: readonly Sample[]): string {
  const counts = new Map<string, number>();
  for (const { status, isExpected } of samples) {
    const name = status === undefined ? "no response" : String(status);
    if (!isExpected) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} ×${count}`).join(", ");
}
