import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import { codeBlocksOf, codeNamesOf, linksOf, tableRowsOf } from "./support/markdown.ts";

const folders = ["bench", "cli", "functions", "infra", "lib", "local", "ops", "test"];
const others = ["*.md", "{docs,.github,client,examples}/**/*.md", "test/support/infra/what-aws-refuses.md"];
const pages = globSync([...others, ...folders.map((folder) => `${folder}/README.md`)]).sort();

/** Files of the areas in examples/, and the fixtures of stored items. */
const imagined = /room|booking|comment|files\/|test\/fixtures\/stored/;

/** The folders of the project, of which a page may name a file or folder as code. */
const named = /^(functions|lib|infra|cli|local|ops|bench|client|examples|test|docs|\.github|\.ci)\//;

it.each(pages)("%s links to and names existing files", (page) => {
  const links = linksOf(page).filter((link) => !/^(\w+:|#)/.test(link));
  const isBroken = (link: string) => !existsSync(join(dirname(page), link.replace(/#.*/, "")));
  expect(links.filter(isBroken)).toEqual([]);
  const names = codeNamesOf(page).filter((name) => /^[\w./-]+$/.test(name) && named.test(name));
  expect(names.filter((name) => !imagined.test(name) && !existsSync(name))).toEqual([]);
});

it.each(pages)("%s starts programs with npm scripts that exist, which an older Node can run too", (page) => {
  const text = readFileSync(page, "utf8");
  expect(text.match(/\bnode [\w/-]+\.ts\b/g) ?? []).toEqual([]);
  const used = [...text.matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name = ""]) => name);
  expect(used.filter((name) => !(name in packageFile.scripts))).toEqual([]);
});

it("docs/recipes.md shows code that tests compile and run", () => {
  const unindented = (text: string) => text.replaceAll(/^ +/gm, "");
  const code = globSync("{{examples/{files,rooms}/,}{functions,lib},test/fixtures/constructs}/**/*.ts").map(
    (file) => unindented(readFileSync(file, "utf8")),
  );
  const shown = codeBlocksOf("docs/recipes.md", "ts").map(unindented);
  expect(shown.filter((block) => !code.some((text) => text.includes(block)))).toEqual([]);
});

it("docs/security.md has each chapter and risk once, with a test or the reason why there is none", () => {
  const rows = tableRowsOf("docs/security.md");
  const numbered = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);
  const names = rows.map(([name = ""]) => name.split(" ")[0]);
  expect(names).toEqual([...numbered("V", 17), ...numbered("API", 10)]);
  const isShown = (holds = "") => holds.includes("test/") || /does not apply|no function/.test(holds);
  expect(rows.filter(([, holds]) => !isShown(holds))).toEqual([]);
});

it.each(["README.md", "docs/costs.md"])("%s has the dollars of docs/figures/prices.md", (page) => {
  const dollarsIn = (file: string): string[] => readFileSync(file, "utf8").match(/\$\d[\d,.]*\d/g) ?? [];
  const known = dollarsIn("docs/figures/prices.md");
  expect(dollarsIn(page).filter((each) => !known.includes(each))).toEqual([]);
});

// A service adds areas of its own to functions.
it.each(folders.filter((folder) => folder !== "functions"))("%s/README.md says what is in it", (folder) => {
  const text = readFileSync(`${folder}/README.md`, "utf8");
  const names = globSync(`${folder}/*/`).map((path) => basename(path));
  const missing = names.filter((name) => name !== "node_modules" && !text.includes(`\`${name}/\``));
  // Folders of tests mirror another one, and `functions` has more.
  const isMirror = (name: string) => folder === "test" && existsSync(name) && name !== "functions";
  expect(missing.filter((name) => !isMirror(name))).toEqual([]);
});

it("the pages for people have at most 26,000 words with their code blocks, without generated figures", () => {
  const own = folders.filter((folder) => folder !== "test");
  const read = globSync(["*.md", `{.github,client,docs,examples,${own}}/**/*.md`]).filter(
    (page) => !/^(docs\/figures|local\/demo)\/|(^|\/)node_modules\//.test(page),
  );
  const words = read.flatMap((page) => readFileSync(page, "utf8").match(/\S*[\p{L}\d]\S*/gu) ?? []);
  expect(words.length).toBeLessThanOrEqual(26_000);
});
