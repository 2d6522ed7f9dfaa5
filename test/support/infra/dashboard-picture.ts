export interface PlacedGraph {
  /** Of 24 columns, and rows of the same size. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly legend: readonly string[];
}

const unit = 44;
const legendLines = 3;
const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const bottomOf = ({ y, height }: PlacedGraph) => y + height;

/** Draws the dashboard without values: where each graph is, its title, and what its lines are. */
export function dashboardPicture(graphs: readonly PlacedGraph[]): string {
  const height = Math.max(...graphs.map(bottomOf)) * unit;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * unit} ${height}" font-family="sans-serif">`,
    "<title>The graphs of the dashboard</title>",
    `<rect width="100%" height="100%" fill="#f2f4f5"/>`,
    ...graphs.flatMap(graphPicture),
    "</svg>",
    "",
  ].join("\n");
}

function graphPicture({ x, y, width, height, title, legend }: PlacedGraph): string[] {
  const [left, top] = [x * unit, y * unit];
  const [right, bottom] = [left + width * unit, top + height * unit];
  const shorter = [...legend.slice(0, legendLines - 1), `and ${legend.length - legendLines + 1} more`];
  const shown = legend.length > legendLines ? shorter : legend;
  const axis = bottom - 30 - 18 * legendLines;
  return [
    `<rect x="${left + 5}" y="${top + 5}" width="${right - left - 10}" height="${bottom - top - 10}" rx="6" fill="#fff" stroke="#c9d1d6"/>`,
    `<text x="${left + 18}" y="${top + 30}" font-size="16" font-weight="600" fill="#16212a">${escapeXml(title)}</text>`,
    ...[0, 1, 2].map(
      (line) =>
        `<path d="M${left + 18} ${axis - line * 50}H${right - 18}" stroke="${line === 0 ? "#6b7b85" : "#e1e6e9"}"/>`,
    ),
    ...shown.map(
      (text, index) =>
        `<text x="${left + 18}" y="${axis + 24 + 18 * index}" font-size="13" fill="#43525c">${escapeXml(text)}</text>`,
    ),
  ];
}
