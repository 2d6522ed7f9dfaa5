import type { Usage } from "./usage.ts";

/**
 * Writes measured costs as a page of the documentation.
 *
 * @param sizes the numbers of records at which was measured
 * @param tables heading → what was measured → the usage at each size; undefined where there is no such thing
 */
export function costsPage(
  sizes: readonly number[],
  tables: Readonly<Record<string, ReadonlyMap<string, readonly (Usage | undefined)[]>>>,
): string {
  const counts = sizes.map((size) => size.toLocaleString("en"));
  return [
    "# What it costs",
    "",
    "A test measures these figures and fails when they no longer hold; `npm test -- -u` writes them anew.",
    "Each cell is calls / calls in sequence / capacity units (reads and writes added up, strongly consistent),",
    "for tables with as many records as the column says.",
    "",
    "What returns all records of a kind costs the units of the bytes that it returns, and each call rounds up.",
    "`GET /admin/users` is the exception: it reads the accounts as they are stored, their passwords' hashes along",
    "with what it returns.",
    "",
    ...Object.entries(tables).flatMap(([heading, rows]) => [
      `## ${heading}`,
      "",
      `| | ${counts.join(" | ")} |`,
      `|---|${sizes.map(() => "---|").join("")}`,
      ...[...rows].map(([name, usages]) => `| ${name} | ${usages.map(cell).join(" | ")} |`),
      "",
    ]),
  ].join("\n");
}

function cell(usage: Usage | undefined): string {
  return usage === undefined ? "–" : `${usage.calls} / ${usage.inSequence} / ${usage.units}`;
}
