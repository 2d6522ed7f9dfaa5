import { fileURLToPath } from "node:url";
import { ofAreas as load } from "../../functions/of-areas.ts";

/** Loads what the tests try of single areas, from files `test/functions/<area>/<name>.ts`. */
export function ofAreas<T>(name: string): Promise<Readonly<Record<string, T>>> {
  return load(name, fileURLToPath(new URL("../functions", import.meta.url)));
}
