import { isNumeric } from "../cli/table.ts";

export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = headings.map((_, at) => (isNumeric(rows, at) ? "---:" : "---"));
  return [line(headings), `|${rule.join("|")}|\n`, ...rows.map(line)].join("");
}
