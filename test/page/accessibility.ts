import axe, { type RunOptions } from "axe-core";
import type { JSHandle, Page } from "playwright-core";

/** What axe-core finds in light and in dark, each with a first element; and if the page looks the same in both schemes. */
export async function accessibilityProblems(page: Page, within = "html"): Promise<string[]> {
  await page.evaluate(axe.source);
  const all = await page.evaluateHandle((selector) => [...document.querySelectorAll(selector)], within);
  const problems = await violations(page, all, { rules: { "color-contrast": { enabled: false } } });
  const backgrounds = new Set<string>();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    backgrounds.add(await page.evaluate(backgroundsOfPage));
    const texts = await page.evaluateHandle(textOfEachLook, within);
    const found = await violations(page, texts, { runOnly: ["color-contrast"] });
    problems.push(...found.map((problem) => `${colorScheme}: ${problem}`));
  }
  return backgrounds.size === 2 ? problems : [...problems, "both schemes have the same background"];
}

function violations(page: Page, include: JSHandle<Element[]>, options: RunOptions): Promise<string[]> {
  const checked = { include, options: { resultTypes: ["violations" as const], ...options } };
  // In the page, `axe` is what its source has defined there.
  return page.evaluate(async ({ include, options }) => {
    const result = await axe.run({ include }, options);
    return result.violations.map(({ id, nodes }) => `${id} ${nodes.length} ${nodes[0]?.html}`);
  }, checked);
}

// The following functions run in the page and can use nothing of this file.

function backgroundsOfPage(): string {
  const { documentElement, body } = document;
  return [documentElement, body].map((element) => getComputedStyle(element).backgroundColor).join();
}

/** A visible text of each look: contrast takes axe most of the time, and a long page repeats its looks a thousand times. */
function textOfEachLook(within: string): Element[] {
  const styles = [
    ...(["color", "backgroundColor", "backgroundImage", "opacity", "filter", "mixBlendMode"] as const),
    ...(["textShadow", "fontSize", "fontWeight", "fontFamily", "position", "zIndex"] as const),
  ];
  const looks = new Map<string, number>();
  const texts = new Map<string, Element>();
  const visit = (element: Element, around?: number) => {
    const computed = getComputedStyle(element);
    const isDisabled = element.matches(":disabled, [aria-disabled=true]");
    const own = [around, isDisabled, ...styles.map((style) => computed[style])].join();
    const look = looks.get(own) ?? looks.size;
    looks.set(own, look);
    const ownTexts = [...element.childNodes].filter((node) => node instanceof Text).map(({ data }) => data);
    const text = ownTexts.join("").trim();
    const isText = text !== "" || element.matches("input, select, textarea");
    // Of a single character axe says nothing.
    const key = `${look}${text.length === 1 ? " character" : ""}`;
    const isShown = element.closest(within) && element.checkVisibility({ visibilityProperty: true });
    if (isText && !texts.has(key) && isShown) texts.set(key, element);
    for (const child of element.children) visit(child, look);
  };
  visit(document.documentElement);
  return [...texts.values()];
}
