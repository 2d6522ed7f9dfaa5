import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

const bundle = import.meta.url;
const POSITION = /(file:\/\/\S+?):(\d+):(\d+)/g;

/** Undefined until the first error, null without a source map. */
let map: SourceMap | null | undefined;

/** Node's `--enable-source-maps` would parse the source map at every cold start instead of at the first error. */
export function withSourcePositions(stack: string): string {
  map ??= readMap();
  return stack.replace(POSITION, (text, file, line, column) => {
    const origin = file === bundle && map?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!origin || !("originalSource" in origin)) return text;
    return `${origin.originalSource}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
  });
}

/** A missing or broken map must not hide the error. */
function readMap(): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(bundle)}.map`, "utf8")));
  } catch {
    return null;
  }
}
