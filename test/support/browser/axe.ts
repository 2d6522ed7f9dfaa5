import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "./page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Checks a page's accessibility with axe-core.
 *
 * @returns the serious and critical violations, each with a first element
 */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(`${axe};0`);
  return await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + " " + nodes.length + " " + nodes[0].html))`);
}
