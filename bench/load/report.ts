import type { LoadFigures } from "./summary.ts";

export const routeHeadings: readonly string[] = [
  ...["Route", "Share", "Requests", "/s"],
  ...["p50 ms", "p90 ms", "p99 ms", "max ms", "Errors"],
];

/** A row for each route and one for all, under `routeHeadings`; errors are such as `500 ×2`. */
export function routeRows({ routes, all }: LoadFigures): string[][] {
  return [...routes, all].map((each) => [
    each.route,
    each.share === null ? "" : `${Math.round(100 * each.share)} %`,
    each.requests.toLocaleString("en"),
    each.perSecond.toFixed(1),
    ...[each.p50, each.p90, each.p99, each.max].map(formatMs),
    Object.entries(each.errors)
      .map(([status, count]) => `${status} ×${count}`)
      .join(", "),
  ]);
}

export function formatMs(value: number | null): string {
  return value === null ? "" : value.toFixed(value < 10 ? 1 : 0);
}
