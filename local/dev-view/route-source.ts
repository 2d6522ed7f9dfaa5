import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path with the line where the code declares a route; undefined if its key stands nowhere as it is. */
export function routeSource(routeKey: string): string | undefined {
  for (const path of globSync(fileURLToPath(new URL("../../functions/*/*.ts", import.meta.url)))) {
    const lines = readFileSync(path, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes(`route("${routeKey}"`));
    if (at >= 0) return `${path}:${at + 1}`;
  }
  return undefined;
}
