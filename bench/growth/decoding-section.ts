import { messageOfChild } from "../child-processes.ts";
import type { Decoding } from "./decoding.ts";

/** Measures what decoding posts costs, without a database. Returns a section of the page. */
export async function decodingSection(): Promise<string> {
  return formatDecoding(await messageOfChild<Decoding>(new URL("./decoding.ts", import.meta.url), [], {}));
}

function formatDecoding({ whole, projected, sorted }: Decoding): string {
  const row = (name: string, costs: Decoding["whole"]) =>
    `| ${name} | ${[costs.parse, costs.sdk, costs.repository].map((cost) => cost.toFixed(1)).join(" | ")} |`;
  return [
    "",
    "## Decoding",
    "",
    "Microseconds of CPU per record, for responses from memory:",
    "",
    "| | `JSON.parse` | the SDK | the repositories |",
    "|---|---|---|---|",
    row("a summary of a post, eleven attributes", whole),
    row("the two attributes that sort posts by views", projected),
    "",
    `A page of a million posts sorted by views takes ${sorted.cpuSeconds.toFixed(1)} s of CPU and ` +
      `${Math.round(sorted.peakMb)} MB, from memory as well.`,
    "",
  ].join("\n");
}
