import type { Usage } from "../../test/support/programs/usage.ts";

interface CostsTable {
  /** The numbers of records. */
  readonly sizes: readonly number[];
  /** Operation → its usage at each size; undefined if it was not measured at that size. */
  readonly rows: ReadonlyMap<string, readonly (Usage | undefined)[]>;
}

/**
 * Writes measured costs as a page of the documentation.
 *
 * @param tables by heading
 * @param storedWithMore lists whose records are stored with more than the responses have
 */
export function costsPage(
  tables: Readonly<Record<string, CostsTable>>,
  storedWithMore: readonly string[],
): string {
  return [
    "# What it costs",
    "",
    "A test measures these figures and fails if they change; `npm run generate` writes this page.",
    "Each cell is calls / calls in sequence / capacity units (reads plus writes, strongly consistent). The columns are",
    "the number of records in each table; for tables with deletions, the number of allocated ids. Tables of more than",
    "20,000 contain only what is read, and a dash means that something was not measured.",
    "",
    "A route that returns all records of a kind costs the units of the bytes that it returns; each call rounds up.",
    ...storedWithMore.map(
      (name) => `\`${name.replace(/, .*/, "")}\` is an exception: it also reads what it does not return.`,
    ),
    "",
    ...Object.entries(tables).flatMap(([heading, { sizes, rows }]) => [
      `## ${heading}`,
      "",
      `| | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} |`,
      `|---|${sizes.map(() => "---|").join("")}`,
      ...[...rows].map(([name, usages]) => `| ${name} | ${usages.map(cell).join(" | ")} |`),
      "",
    ]),
  ].join("\n");
}

function cell(usage: Usage | undefined): string {
  return usage === undefined ? "–" : `${usage.calls} / ${usage.inSequence} / ${usage.units}`;
}
