import { formatMs, routeHeadings, routeRows } from "./report.ts";
import type { LoadFigures, LoadSummary } from "./summary.ts";

const style = `
:root {
  color-scheme: light dark; color: light-dark(#111, #eee); background: light-dark(#fff, #111);
  --worse: light-dark(#b91c1c, #fca5a5); --better: light-dark(#166534, #86efac); --line: light-dark(#d1d5db, #4b5563);
}
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.25rem, 5vw, 2rem); }
.table { overflow-x: auto; margin-bottom: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
caption { text-align: left; }
th, td { padding: .25rem 1rem .25rem 0; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:last-child, th:last-child { text-align: left; }
tbody th { font-weight: normal; } .routes tbody tr:last-child > * { font-weight: 600; }
.worse { color: var(--worse); } .better { color: var(--better); }
`;

/** A page without references to other files. @param baseline an earlier load to compare with */
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
${routes(summary, baseline)}
${overTime(summary)}
</main>
</html>
`;
}

function routes(figures: LoadFigures, baseline: LoadFigures | undefined): string {
  const before = new Map(baseline && [...baseline.routes, baseline.all].map((each) => [each.route, each]));
  const rows = routeRows(
    figures,
    (each, name) => formatMs(each[name]) + change(each[name], before.get(each.route)?.[name]),
  ).map(([route = "", ...cells]) => [escapeHtml(route), ...cells]);
  return table("routes", "Routes", routeHeadings, rows);
}

/** A bar for each percentile of each part of the load. Parts with too few requests have none. */
function overTime({ overTime: parts }: LoadFigures): string {
  const names = ["p50", "p90", "p99"] as const;
  const max = Math.max(...parts.flatMap((part) => names.map((name) => part[name] ?? 0)));
  const rows = parts.map(({ untilSecond, requests, ...part }) => [
    untilSecond.toFixed(1),
    requests.toLocaleString("en"),
    ...names.map((name) => {
      const bar = `<meter aria-hidden="true" max="${max}" value="${part[name]}"></meter>`;
      return part[name] === null ? "" : `${bar} ${formatMs(part[name])}`;
    }),
  ]);
  const headings = ["Until second", "Requests", ...names.map((name) => `${name} ms`)];
  return max === 0 ? "" : table("parts", "Response times of all requests over time", headings, rows);
}

/** It scrolls on its own where the page is narrow, also with the keyboard. */
function table(
  name: string,
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const heads = headings.map((heading) => `<th scope="col">${heading}</th>`).join("");
  const lines = rows.map(
    ([first, ...cells]) =>
      `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="table ${name}" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table></div>`;
}

function change(now: number | null, before: number | null | undefined): string {
  if (now === null || !before) return "";
  const percent = Math.round((100 * (now - before)) / before);
  const kind = percent > 10 ? "worse" : percent < -10 ? "better" : "same";
  return ` <span class="${kind}">${percent > 0 ? "+" : ""}${percent} %</span>`;
}

function time(iso: string): string {
  return new Date(iso).toISOString().slice(0, 16).replace("T", " ");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
