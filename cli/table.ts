/** Formats a table as text with aligned columns, those of numbers to the right. Missing cells are empty. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const format = (line: readonly string[]) =>
    widths
      .map((width, at) => {
        const cell = line[at] ?? "";
        return isNumeric(rows, at) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return lines.map((line) => `${format(line)}\n`).join("");
}

/** Whether a column has numbers and percentages, and nothing else. */
export function isNumeric(rows: readonly (readonly string[])[], at: number): boolean {
  const cells = rows.flatMap((row) => row[at] || []);
  return cells.length > 0 && cells.every((cell) => /^[\d.,]+( %)?$/.test(cell));
}
