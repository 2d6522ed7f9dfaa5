import { MAX_FILLED } from "../../test/costs/sizes.ts";
import type { Usage } from "../../test/support/programs/usage.ts";

interface CostsTable {
  /** The numbers of records. */
  readonly sizes: readonly number[];
  /** Operation → its usage at each size; undefined if it was not measured at that size. */
  readonly rows: ReadonlyMap<string, readonly (Usage | undefined)[]>;
  /** Operation → its usage with the access rule `owner`. */
  readonly withOwner?: ReadonlyMap<string, Usage>;
}

/** Measured, but in no column: it says nothing that the others don't. */
const LEFT_OUT = 1_000;

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
    `${MAX_FILLED.toLocaleString("en")} contain only what is read, and a dash means that something was not measured. The last column is for an`,
    "account with about ten records of each kind and the access rule `owner`, where that costs something else.",
    "",
    "A route that returns all records of a kind costs the units of the bytes that it returns; each call rounds up.",
    ...storedWithMore.map(
      (name) => `\`${name.replace(/, .*/, "")}\` is an exception: it also reads what it does not return.`,
    ),
    "",
    ...Object.entries(tables).flatMap(([heading, { sizes, rows, withOwner }]) => {
      const isShown = (_: unknown, i: number) => sizes[i] !== LEFT_OUT;
      const columns = [
        ...sizes.filter(isShown).map((size) => size.toLocaleString("en")),
        ...(withOwner ? ["`owner`"] : []),
      ];
      const ownerCell = (name: string, usages: readonly (Usage | undefined)[]) => {
        const usage = withOwner?.get(name);
        const isSame = usages.some((each) => cell(each) === cell(usage));
        return usage && !isSame ? [` ${cell(usage)} |`] : withOwner ? [" |"] : [];
      };
      return [
        `## ${heading}`,
        "",
        `| | ${columns.join(" | ")} |`,
        `|---|${columns.map(() => "---|").join("")}`,
        ...[...rows].map(
          ([name, usages]) =>
            `| ${name} | ${usages.filter(isShown).map(cell).join(" | ")} |${ownerCell(name, usages)}`,
        ),
        "",
      ];
    }),
  ].join("\n");
}

function cell(usage: Usage | undefined): string {
  return usage === undefined ? "–" : `${usage.calls} / ${usage.inSequence} / ${usage.units}`;
}
