import { existsSync } from "node:fs";
import { routesByArea } from "../../functions/definitions.ts";

/**
 * Loads what the areas say in files of test/functions.
 *
 * @param name of the files, as in `test/functions/<area>/<name>.ts`, and of their export
 * @returns by area; areas without the file are left out
 */
export async function ofAreas<T>(name: string): Promise<Readonly<Record<string, T>>> {
  const files = Object.keys(routesByArea)
    .map((area) => [area, new URL(`../functions/${area}/${name}.ts`, import.meta.url)] as const)
    .filter(([, file]) => existsSync(file));
  return Object.fromEntries(
    await Promise.all(files.map(async ([area, { href }]) => [area, (await import(href))[name] as T])),
  );
}
