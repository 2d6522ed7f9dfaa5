import { readFileSync } from "node:fs";
import { type MarkedToken, marked } from "marked";

/** The parts of a page, at any depth, in the order in which they stand there. */
function partsOf(page: string): MarkedToken[] {
  const parts: MarkedToken[] = [];
  marked.walkTokens(marked.lexer(readFileSync(page, "utf8")), (part) => {
    parts.push(part as MarkedToken);
  });
  return parts;
}

/** The targets of the links and images of a page. */
export function linksOf(page: string): string[] {
  return partsOf(page).flatMap((part) => (part.type === "link" || part.type === "image" ? part.href : []));
}

/** The texts that a page marks as code within a sentence. */
export function codeNamesOf(page: string): string[] {
  return partsOf(page).flatMap((part) => (part.type === "codespan" ? part.text : []));
}

/** The code blocks of a page in a language, each with a line break at its end. */
export function codeBlocksOf(page: string, language: string): string[] {
  return partsOf(page).flatMap((part) =>
    part.type === "code" && part.lang === language ? `${part.text}\n` : [],
  );
}

/** The headings of a page that have this level: 1 for the title. */
export function headingsOf(page: string, level: number): string[] {
  return partsOf(page).flatMap((part) => (part.type === "heading" && part.depth === level ? part.text : []));
}

/** The rows of all tables of a page, as the texts of their cells. */
export function tableRowsOf(page: string): string[][] {
  return partsOf(page).flatMap((part) =>
    part.type === "table" ? part.rows.map((cells) => cells.map(({ text }) => text)) : [],
  );
}
