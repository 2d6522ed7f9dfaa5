import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "./page.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules to check: those of colours take most of the time. */
const ruleOptions = {
  all: {},
  contrast: { runOnly: ["color-contrast"] },
  other: { rules: { "color-contrast": { enabled: false } } },
};

/**
 * Checks a page's accessibility with axe-core.
 *
 * @param within a selector; by default the whole page
 * @returns the serious and critical violations, each with a first element
 */
export async function accessibilityProblems(
  page: Page,
  { within = "html", rules = "all" }: { within?: string; rules?: keyof typeof ruleOptions } = {},
): Promise<string[]> {
  await page.evaluate(`${axe};0`);
  const options = JSON.stringify({ resultTypes: ["violations"], ...ruleOptions[rules] });
  return await page.evaluate(`axe.run(${JSON.stringify(within)}, ${options}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + " " + nodes.length + " " + nodes[0].html))`);
}
