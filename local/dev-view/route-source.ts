import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** Where the code declares a route, as a file with a line; undefined if its key stands nowhere as it is. */
export function routeSource(routeKey: string): { readonly file: string; readonly path: string } | undefined {
  for (const name of globSync("functions/*/*.ts", { cwd: project })) {
    const lines = readFileSync(`${project}${name}`, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes(`route("${routeKey}"`));
    if (at >= 0) return { file: `${name}:${at + 1}`, path: `${project}${name}:${at + 1}` };
  }
  return undefined;
}
