import { formatErrors, formatMs } from "./report.ts";
import { allRoutes, bucketBounds, type LoadSummary, type RouteSummary } from "./summary.ts";

const WIDTH = 520;
const HEIGHT = 160;
/** Room for a label at the right end. */
const LABEL_WIDTH = 50;

const style = `
:root { color-scheme: light dark; --now: #2563eb; --before: #9ca3af; --p90: #d97706; --p99: #dc2626; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child, td:last-child { text-align: left; }
.worse { color: var(--p99); } .better { color: #16a34a; }
.charts { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: .5rem 0; } figcaption, .note, svg text { font-size: 12px; fill: currentColor; opacity: .8; }
summary { cursor: pointer; padding: .35rem 0; font-weight: 600; }
.now { fill: var(--now); } .before { fill: none; stroke: var(--before); stroke-width: 1.5; }
polyline { fill: none; stroke-width: 2; } .grid { stroke: #8884; }
.p50 { stroke: var(--now); } .p90 { stroke: var(--p90); } .p99 { stroke: var(--p99); }
`;

/**
 * Formats the result of a load as a page without references to other files: percentiles of each route, histograms, and
 * percentiles over time.
 *
 * @param baseline an earlier load to compare with
 * @returns HTML
 */
export function htmlReport(summary: LoadSummary, baseline: LoadSummary | undefined): string {
  const { url, startedAt, seconds, connections, routes } = summary;
  const before = new Map(baseline?.routes.map((route) => [route.route, route]));
  const compared = baseline && ` Compared with ${escapeHtml(baseline.url)}, ${time(baseline.startedAt)}.`;
  const all = allRoutes(summary);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Load of ${escapeHtml(url)}</title>
<style>${style}</style>
<h1>Load of ${escapeHtml(url)}</h1>
<p>${time(startedAt)}: ${all.requests.toLocaleString("en")} requests in ${seconds.toFixed(1)} s, up to ${connections} at
the same time.${compared ?? ""}</p>
<table>
<tr><th>Route<th>Share<th>Requests<th>/s<th>p50 ms<th>p90 ms<th>p99 ms<th>max ms<th>Errors</tr>
${routes.map((route) => tableRow(route, before.get(route.route))).join("\n")}
</table>
${[all, ...routes.slice(0, -1)]
  .map((route) => details(route, before.get(route.route), route === all))
  .join("\n")}
</html>
`;
}

function tableRow(
  { route, share, requests, perSecond, p50, p90, p99, max, errors }: RouteSummary,
  before: RouteSummary | undefined,
): string {
  const cells = [
    escapeHtml(route),
    share === null ? "" : `${Math.round(100 * share)} %`,
    requests.toLocaleString("en"),
    perSecond.toFixed(1),
    formatMs(p50) + change(p50, before?.p50),
    formatMs(p90) + change(p90, before?.p90),
    formatMs(p99) + change(p99, before?.p99),
    formatMs(max),
    formatErrors(errors),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}`).join("")}</tr>`;
}

/** The change from the baseline in percent. */
function change(now: number | null, before: number | null | undefined): string {
  if (now === null || !before) return "";
  const percent = Math.round((100 * (now - before)) / before);
  const kind = percent > 10 ? "worse" : percent < -10 ? "better" : "same";
  return ` <span class="${kind}">${percent > 0 ? "+" : ""}${percent} %</span>`;
}

function details(route: RouteSummary, before: RouteSummary | undefined, isOpen: boolean): string {
  if (route.requests === 0) return "";
  return `<details${isOpen ? " open" : ""}><summary>${escapeHtml(route.route)}</summary><div class="charts">
<figure>${histogram(route, before)}<figcaption>Requests by response time${before ? "; outlined: the earlier load" : ""}</figcaption></figure>
<figure>${overTime(route)}<figcaption>p50, <span style="color:var(--p90)">p90</span> and
<span style="color:var(--p99)">p99</span> over time</figcaption></figure>
</div></details>`;
}

/** Bars for the share of requests in each bucket between the fastest and the slowest, on a logarithmic scale. */
function histogram(route: RouteSummary, before: RouteSummary | undefined): string {
  const shares = [route, before].map((each) =>
    (each?.histogram ?? []).map((count) => count / Math.max(1, each?.requests ?? 0)),
  );
  const used = shares.flatMap((each) => each.flatMap((share, bucket) => (share > 0 ? [bucket] : [])));
  const [first, last] = [Math.min(...used), Math.max(...used)];
  const largest = Math.max(...shares.flat());
  const step = WIDTH / (last - first + 1);
  const bars = shares.map((each, at) =>
    each.slice(first, last + 1).map((share, i) => {
      const height = (HEIGHT * share) / largest;
      const place = `x="${round(i * step)}" y="${round(HEIGHT - height)}" height="${round(height)}"`;
      return share === 0
        ? ""
        : `<rect class="${at === 0 ? "now" : "before"}" ${place} width="${round(step * 0.9)}"/>`;
    }),
  );
  const labels = Array.from({ length: last - first + 2 }, (_, i) => [i, bucketBounds[first + i - 1]] as const)
    .filter(([i]) => i % Math.ceil((last - first + 2) / 6) === 0 && i * step < WIDTH - LABEL_WIDTH)
    .map(([i, bound]) => label(i * step, `${formatMs(bound ?? 0)} ms`));
  return svg([...bars.flat(), ...labels]);
}

/** Lines for the percentiles of each part of the load, from zero. */
function overTime({ overTime }: RouteSummary): string {
  const largest = Math.max(...overTime.map(({ p99 }) => p99 ?? 0), Number.MIN_VALUE);
  const end = overTime.at(-1)?.untilSecond ?? 0;
  const y = (value: number) => round(HEIGHT - (HEIGHT * value) / largest);
  const lines = (["p50", "p90", "p99"] as const).map((name) => {
    const points = overTime.flatMap(({ untilSecond, [name]: value }) =>
      value === null ? [] : [`${round((WIDTH * untilSecond) / end)},${y(value)}`],
    );
    return `<polyline class="${name}" points="${points.join(" ")}"/>`;
  });
  const grid = [0.5, 1].map(
    (share) =>
      `<line class="grid" x1="0" x2="${WIDTH}" y1="${y(share * largest)}" y2="${y(share * largest)}"/>` +
      `<text x="0" y="${y(share * largest) - 3}">${formatMs(share * largest)} ms</text>`,
  );
  return svg([...grid, ...lines, label(0, "0 s"), label(WIDTH - LABEL_WIDTH, `${end.toFixed(0)} s`)]);
}

function label(x: number, text: string): string {
  return `<text x="${round(x)}" y="${HEIGHT + 16}">${text}</text>`;
}

function svg(content: readonly string[]): string {
  return `<svg role="img" viewBox="0 -16 ${WIDTH} ${HEIGHT + 40}" width="${WIDTH}">${content.join("")}</svg>`;
}

function time(text: string): string {
  return escapeHtml(text.replace("T", " ").replace(/\..*$/, " UTC"));
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
