import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { codeBlocksOf, codeNamesOf, linksOf, tableRowsOf } from "./support/markdown.ts";

const pages = globSync(["*.md", "{docs,.github}/**/*.md", "{client,examples}/**/*.md"]).sort();

/** Files of the areas in examples/rooms, and the fixtures of stored items. */
const imagined = /room|booking|comment|functions\/passwords|test\/fixtures\/stored/;

/** The folders of the project, of which a page may name a file or folder as code. */
const folders = /^(functions|lib|infra|cli|local|ops|bench|client|examples|test|docs|\.github|\.ci)\//;

it.each(pages)("%s links to existing files", (page) => {
  const links = linksOf(page).filter((link) => !/^(\w+:|#)/.test(link));
  const isBroken = (link: string) => !existsSync(join(dirname(page), link.replace(/#.*/, "")));
  expect(links.filter(isBroken)).toEqual([]);
});

it.each(pages)("%s names existing files", (page) => {
  const names = codeNamesOf(page).filter((name) => /^[\w./-]+$/.test(name) && folders.test(name));
  expect(names.filter((name) => !imagined.test(name) && !existsSync(name))).toEqual([]);
});

it.each(pages)("%s starts programs with npm scripts, which an older Node can run too", (page) => {
  expect(readFileSync(page, "utf8").match(/\bnode [\w/-]+\.ts\b/g) ?? []).toEqual([]);
});

it("docs/recipes.md shows code that tests compile and run", () => {
  const unindented = (text: string) => text.replaceAll(/^ +/gm, "");
  const code = globSync("{{examples/rooms/,}{functions,lib},test/fixtures/constructs}/**/*.ts").map((file) =>
    unindented(readFileSync(file, "utf8")),
  );
  const shown = codeBlocksOf("docs/recipes.md", "ts").map(unindented);
  expect(shown.filter((block) => !code.some((text) => text.includes(block)))).toEqual([]);
});

it("docs/security.md has each chapter and risk once, with a test or the reason why there is none", () => {
  const rows = tableRowsOf("docs/security.md");
  const numbered = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
  expect(rows.map(([name = ""]) => name.split(" ")[0])).toEqual([
    ...numbered("V", 17),
    ...numbered("API", 10),
  ]);
  const isShown = (holds = "") => holds.includes("test/") || /does not apply|no function/.test(holds);
  expect(rows.filter(([, holds]) => !isShown(holds))).toEqual([]);
});

it("every npm script that a page names exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const used = pages.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name = ""]) => name),
  );

  expect(used.filter((name) => !(name in scripts))).toEqual([]);
});
