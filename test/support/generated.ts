import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

/**
 * Compares a generated file with what it should be. `npm run generate` sets `GENERATE`, and the file is written. Vitest's
 * `-u` does not write it: it is a page or a contract, and no snapshot.
 *
 * @param file relative to the project
 */
export function expectGenerated(file: string, text: string): void {
  if (process.env.GENERATE) writeFileSync(file, text);
  expect(readFileSync(file, "utf8"), `${file} is outdated: run npm run generate`).toBe(text);
}
