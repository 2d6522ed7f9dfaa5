import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Loads the export `<name>` of each `functions/<area>/<name>.ts`: by area, in the order of names. */
export async function ofAreas<T>(name: string, folder = import.meta.dirname) {
  const files = globSync(`*/${name}.ts`, { cwd: folder }).sort();
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return Object.fromEntries(files.map((file, i) => [basename(dirname(file)), modules[i][name] as T]));
}
