/** A column: its heading, and whether it holds numbers, which are set flush right. */
export interface Column {
  readonly heading: string;
  readonly isNumeric?: boolean;
}

/**
 * Sets a table for a terminal.
 *
 * @param columns the columns
 * @param rows a cell for each column; a missing one is empty
 * @returns lines with a line break each
 */
export function textTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ heading }) => heading), ...rows];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => [...(line[at] ?? "")].length)));
  const set = (line: readonly string[]) =>
    columns
      .map(({ isNumeric }, at) => {
        const cell = line[at] ?? "";
        const space = " ".repeat((widths[at] ?? 0) - [...cell].length);
        return isNumeric ? space + cell : cell + space;
      })
      .join("  ")
      .trimEnd();
  return lines.map((line) => `${set(line)}\n`).join("");
}

/**
 * Sets a table in Markdown.
 *
 * @param columns the columns
 * @param rows a cell for each column
 * @returns lines with a line break each
 */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return [
    line(columns.map(({ heading }) => heading)),
    `|${columns.map(({ isNumeric }) => (isNumeric ? "---:" : "---")).join("|")}|\n`,
    ...rows.map(line),
  ].join("");
}
