import { formatMs, routeColumns, routeRows } from "./report.ts";
import type { LoadFigures, LoadSummary } from "./summary.ts";

const WIDTH = 600;
const HEIGHT = 180;

const style = `
:root {
  color-scheme: light dark; color: light-dark(#111, #eee); background: light-dark(#fff, #111);
  --p50: light-dark(#1d4ed8, #93c5fd); --p90: light-dark(#92400e, #fcd34d); --p99: light-dark(#b91c1c, #fca5a5);
  --better: light-dark(#166534, #86efac); --line: light-dark(#d1d5db, #4b5563);
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.25rem, 5vw, 2rem); }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: .25rem 1rem .25rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:last-child, th:last-child { text-align: left; }
tbody th { font-weight: normal; } tbody tr:last-child > * { font-weight: 600; }
.worse { color: var(--p99); } .better { color: var(--better); }
figure { margin: 2rem 0; }
svg { display: block; width: 100%; height: 12rem; border: solid var(--line); border-width: 1px 0; }
polyline { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; }
.p50 { color: var(--p50); stroke: var(--p50); } .p90 { color: var(--p90); stroke: var(--p90); stroke-dasharray: 8 4; }
.p99 { color: var(--p99); stroke: var(--p99); stroke-dasharray: 2 3; }
.axis { display: flex; justify-content: space-between; }
`;

/**
 * Formats the result of a load as a page without references to other files: the figures of each route, and response
 * times over time.
 *
 * @param baseline an earlier load to compare with
 * @returns HTML
 */
export function htmlReport(summary: LoadSummary, baseline: LoadSummary | undefined): string {
  const { url, startedAt, seconds, connections, all } = summary;
  const compared =
    baseline && ` Percentages compare with ${escapeHtml(baseline.url)}, ${time(baseline.startedAt)}.`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Load of ${escapeHtml(url)}</title>
<style>${style}</style>
<main>
<h1>Load of ${escapeHtml(url)}</h1>
<p>${time(startedAt)}: ${all.requests.toLocaleString("en")} requests in ${seconds.toFixed(1)} s, up to ${connections} at
the same time.${compared ?? ""} Percentiles are of at least 2 (p50), 10 (p90) and 100 (p99) requests.</p>
${table(summary, baseline)}
${chart(summary)}
</main>
</html>
`;
}

/** It scrolls on its own where the page is narrow, also with the keyboard. */
function table(figures: LoadFigures, baseline: LoadFigures | undefined): string {
  const before = new Map(
    [...(baseline?.routes ?? []), ...(baseline ? [baseline.all] : [])].map((each) => [each.route, each]),
  );
  const rows = routeRows(
    figures,
    (each, name) => formatMs(each[name]) + change(each[name], before.get(each.route)?.[name]),
  );
  const heading = routeColumns.map(({ heading }) => `<th scope="col">${heading}</th>`).join("");
  const lines = rows.map(
    ([route = "", ...cells]) =>
      `<tr><th scope="row">${escapeHtml(route)}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="table" role="region" aria-label="Routes" tabindex="0"><table>
<thead><tr>${heading}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table></div>`;
}

/** The change from the baseline in percent. */
function change(now: number | null, before: number | null | undefined): string {
  if (now === null || !before) return "";
  const percent = Math.round((100 * (now - before)) / before);
  const kind = percent > 10 ? "worse" : percent < -10 ? "better" : "same";
  return ` <span class="${kind}">${percent > 0 ? "+" : ""}${percent} %</span>`;
}

/** Lines for the percentiles of each part of the load, from zero. Parts with too few requests have none. */
function chart({ overTime, seconds }: LoadFigures): string {
  const names = (["p50", "p90", "p99"] as const).filter((name) =>
    overTime.some((slice) => slice[name] !== null),
  );
  if (names.length === 0) return "";
  const largest = Math.max(...overTime.flatMap((slice) => names.map((name) => slice[name] ?? 0)));
  const lines = names.map((name) => {
    const points = overTime.flatMap(({ untilSecond, [name]: value }) =>
      value === null
        ? []
        : [`${Math.round((WIDTH * untilSecond) / seconds)},${Math.round(HEIGHT * (1 - value / largest))}`],
    );
    return `<polyline class="${name}" points="${points.join(" ")}"/>`;
  });
  const legend = names.map((name) => `<b class="${name}">${name}</b>`).join(", ");
  return `<figure>
<figcaption>Response times of all requests over time: ${legend}</figcaption>
<div class="axis"><span>${formatMs(largest)} ms</span></div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Response times over time">
${lines.join("\n")}
</svg>
<div class="axis"><span>0 ms, 0 s</span><span>${seconds.toFixed(1)} s</span></div>
</figure>`;
}

function time(iso: string): string {
  return new Date(iso).toISOString().slice(0, 16).replace("T", " ");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
