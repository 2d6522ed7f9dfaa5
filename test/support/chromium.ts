import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

declare module "vitest" {
  interface ProvidedContext {
    /** The file of Chromium or Chrome. */
    chromium: string;
  }
}

const programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Finds a browser for the tests of pages.
 *
 * @param environment `CHROMIUM` names one; otherwise the usual names are searched on `PATH`
 * @returns its file, or undefined
 */
export function findChromium({ CHROMIUM = "", PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const folders = PATH.split(delimiter);
  const candidates = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  return [CHROMIUM, ...candidates].find(existsSync);
}
