export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = headings.map((_, at) => (isNumeric(rows, at) ? "---:" : "---"));
  return [line(headings), `|${rule.join("|")}|\n`, ...rows.map(line)].join("");
}

/** Whether a column has numbers and percentages, and nothing else. */
function isNumeric(rows: readonly (readonly string[])[], at: number): boolean {
  const cells = rows.flatMap((row) => row[at] || []);
  return cells.length > 0 && cells.every((cell) => /^[\d.,]+( %)?$/.test(cell));
}
