import { globSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Loads a file of each area that has it: the way to what areas say, except for their routes, which bundles
 * need (areas.ts).
 *
 * @param name of the file, as in `functions/<area>/<name>.ts`, and of its export
 * @param folder the folder with a folder for each area
 * @returns by area, in the order of their names
 */
export async function ofAreas<T>(
  name: string,
  folder = import.meta.dirname,
): Promise<Readonly<Record<string, T>>> {
  const files = globSync(`*/${name}.ts`, { cwd: folder }).sort();
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  return Object.fromEntries(files.map((file, i) => [basename(dirname(file)), modules[i][name] as T]));
}
