import { globSync } from "node:fs";
import { dirname } from "node:path";
import type { AreaSamples } from "./define-area.ts";

/** The sample records of the areas that have some, by area. Loads nothing else of the areas. */
export async function areaSamples(): Promise<Readonly<Record<string, AreaSamples>>> {
  const files = globSync("*/samples.ts", { cwd: import.meta.dirname });
  const modules = await Promise.all(files.map((file) => import(`./${file}`)));
  return Object.fromEntries(files.map((file, i) => [dirname(file), modules[i].samples]));
}
