import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

declare module "vitest" {
  interface ProvidedContext {
    chromium: string;
  }
}

const programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Finds the browser that `CHROMIUM` names, otherwise one of the usual names on `PATH`. */
export function findChromium({ CHROMIUM = "", PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter);
  const candidates = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  return [CHROMIUM, ...candidates].find(existsSync);
}
