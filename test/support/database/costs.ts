import type { Usage } from "../programs/usage.ts";

/**
 * Writes measured costs as a page of the documentation.
 *
 * @param sizes the numbers of records
 * @param tables heading → operation → its usage at each size; undefined if it does not exist at that size
 */
export function costsPage(
  sizes: readonly number[],
  tables: Readonly<Record<string, ReadonlyMap<string, readonly (Usage | undefined)[]>>>,
): string {
  const counts = sizes.map((size) => size.toLocaleString("en"));
  return [
    "# What it costs",
    "",
    "A test measures these figures and fails if they change; `npm run test:all -- -u` renews this page.",
    "Each cell is calls / calls in sequence / capacity units (reads plus writes, strongly consistent). The columns are",
    "the number of records in each table.",
    "",
    "A route that returns all records of a kind costs the units of the bytes that it returns; each call rounds up.",
    "`GET /admin/users` is the exception: it also reads the password hashes, which it does not return.",
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
