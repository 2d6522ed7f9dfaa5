import { globSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { AreaSamples } from "./define-area.ts";

/** The sample records of the areas that have some, by area. Loads nothing else of the areas. */
export async function areaSamples(): Promise<Readonly<Record<string, AreaSamples>>> {
  const files = globSync("*/samples.ts", { cwd: fileURLToPath(new URL(".", import.meta.url)) });
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => {
        const { samples } = (await import(`./${dirname(file)}/samples.ts`)) as {
          readonly samples: AreaSamples;
        };
        return [dirname(file), samples] as const;
      }),
    ),
  );
}
