import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

/** Compares a generated page or contract, which `npm run generate` (by `GENERATE`) writes and `-u` of Vitest does not. */
export function expectGenerated(file: string, text: string): void {
  if (process.env.GENERATE) writeFileSync(file, text);
  expect(readFileSync(file, "utf8"), `${file} is outdated: run npm run generate`).toBe(text);
}
