import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "./page.ts";

const tools = createRequire(new URL("../../tools/package.json", import.meta.url));
const axe = readFileSync(tools.resolve("axe-core/axe.min.js"), "utf8");

/**
 * Finds a visible text of each look. Contrast takes axe most of the time, and depends on the styles of an element and
 * of those around it, which a long page repeats a thousand times.
 */
const textOfEachLook = `(within) => {
  const styles = ["color", "backgroundColor", "backgroundImage", "opacity", "filter", "mixBlendMode", "textShadow",
    "fontSize", "fontWeight", "fontFamily", "position", "zIndex"];
  const looks = new Map();
  const texts = new Map();
  const visit = (element, around) => {
    const computed = getComputedStyle(element);
    const isDisabled = element.matches(":disabled, [aria-disabled=true]");
    const own = [around, isDisabled, ...styles.map((style) => computed[style])].join();
    const look = looks.get(own) ?? looks.size;
    looks.set(own, look);
    const text = [...element.childNodes].map((node) => node.nodeType === Node.TEXT_NODE ? node.data : "").join("").trim();
    const isText = text !== "" || element.matches("input, select, textarea");
    // Of a single character axe says nothing.
    const key = look + (text.length === 1 ? " character" : "");
    if (isText && !texts.has(key) && element.closest(within) && element.checkVisibility({ visibilityProperty: true }))
      texts.set(key, element);
    for (const child of element.children) visit(child, look);
  };
  visit(document.documentElement, "");
  return [...texts.values()];
}`;

/**
 * Checks a page's accessibility with axe-core, in light and in dark.
 *
 * @param within a selector; by default the whole page
 * @returns the violations of any impact, each with a first element; and if the page looks the same in both schemes
 */
export async function accessibilityProblems(page: Page, within = "html"): Promise<string[]> {
  await page.evaluate(`${axe};0`);
  const selector = JSON.stringify(within);
  const run = (context: string, options: object) =>
    page.evaluate<
      string[]
    >(`axe.run(${context}, ${JSON.stringify({ resultTypes: ["violations"], ...options })})
      .then(({ violations }) => violations
        .map(({ id, nodes }) => id + " " + nodes.length + " " + nodes[0].html))`);
  const problems = await run(selector, { rules: { "color-contrast": { enabled: false } } });
  const backgrounds = new Set<unknown>();
  for (const scheme of ["light", "dark"] as const) {
    await page.prefer(scheme);
    backgrounds.add(
      await page.evaluate(
        "getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor",
      ),
    );
    const found = await run(`{ include: (${textOfEachLook})(${selector}) }`, { runOnly: ["color-contrast"] });
    problems.push(...found.map((problem) => `${scheme}: ${problem}`));
  }
  return backgrounds.size === 2 ? problems : [...problems, "both schemes have the same background"];
}
