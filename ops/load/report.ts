import { type Column, textTable } from "../../cli/table.ts";
import { allRoutes, type RouteSummary } from "./summary.ts";

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

/** Throughput, percentiles and errors of each route and in total, as rows with a cell for each of `routeColumns`. */
export function routeRows(routes: readonly RouteSummary[]): string[][] {
  return routes.map(({ route, share, requests, perSecond, p50, p90, p99, max, errors }) => [
    route,
    share === null ? "" : `${Math.round(100 * share)} %`,
    String(requests),
    perSecond.toFixed(1),
    ...[p50, p90, p99, max].map(formatMs),
    formatErrors(errors),
  ]);
}

/** Formats the result of a load: a table of the routes, and a chart of throughput and response times over time. */
export function loadReport(routes: readonly RouteSummary[]): string {
  const all = allRoutes({ routes: [...routes] });
  if (all.requests === 0) return "No requests were sent.\n";
  return `${textTable(routeColumns, routeRows(routes))}\n${chart(all)}`;
}

function chart({ overTime }: RouteSummary): string {
  const largest = Math.max(...overTime.map(({ requests }) => requests));
  const columns = [
    { heading: "until s", isNumeric: true },
    { heading: "/s", isNumeric: true },
    { heading: "Requests".padEnd(BAR_WIDTH) },
    { heading: "p50 ms", isNumeric: true },
    { heading: "p99 ms", isNumeric: true },
    { heading: "Errors" },
  ];
  const seconds = overTime[0]?.untilSecond ?? 0;
  return textTable(
    columns,
    overTime.map(({ untilSecond, requests, p50, p99, errors }) => [
      untilSecond.toFixed(1),
      (requests / seconds).toFixed(0),
      "█".repeat(Math.round((BAR_WIDTH * requests) / largest)),
      formatMs(p50),
      formatMs(p99),
      formatErrors(errors),
    ]),
  );
}

/** A time in milliseconds; empty for null. */
export function formatMs(value: number | null): string {
  return value === null ? "" : value.toFixed(value < 10 ? 1 : 0);
}

/** Unexpected responses by status: `500 ×2, no response ×1`. */
export function formatErrors(errors: Readonly<Record<string, number>>): string {
  return Object.entries(errors)
    .map(([name, count]) => `${name} ×${count}`)
    .join(", ");
}
