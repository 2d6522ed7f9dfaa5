import { globSync } from "node:fs";
import { dirname } from "node:path";
import type { AreaPerson } from "./define-area.ts";

/** What the areas have of a person, by area. */
export async function areaPersons(): Promise<ReadonlyMap<string, AreaPerson>> {
  const files = globSync("*/person.ts", { cwd: import.meta.dirname }).sort();
  const modules = await Promise.all(files.map((file) => import(`./${file}`)));
  return new Map(files.map((file, i) => [dirname(file), modules[i].person]));
}
