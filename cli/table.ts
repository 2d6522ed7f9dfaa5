/** A column of a table. Numeric columns are aligned to the right. */
export interface Column {
  readonly heading: string;
  readonly isNumeric?: boolean;
}

/**
 * Formats a table as plain text with aligned columns.
 *
 * @param rows a cell for each column; missing cells are empty
 */
export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ heading }) => heading), ...rows];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => [...(line[at] ?? "")].length)));
  const format = (line: readonly string[]) =>
    columns
      .map(({ isNumeric }, at) => {
        const cell = line[at] ?? "";
        const space = " ".repeat((widths[at] ?? 0) - [...cell].length);
        return isNumeric ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  return lines.map((line) => `${format(line)}\n`).join("");
}

/** Formats a table as Markdown. */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return [
    line(columns.map(({ heading }) => heading)),
    `|${columns.map(({ isNumeric }) => (isNumeric ? "---:" : "---")).join("|")}|\n`,
    ...rows.map(line),
  ].join("");
}
