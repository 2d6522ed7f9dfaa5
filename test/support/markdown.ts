import { readFileSync } from "node:fs";
import { type MarkedToken, marked } from "marked";

function partsOf(page: string): MarkedToken[] {
  const parts: MarkedToken[] = [];
  marked.walkTokens(marked.lexer(readFileSync(page, "utf8")), (part) => {
    parts.push(part as MarkedToken);
  });
  return parts;
}

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

export function headingsOf(page: string, level: number): string[] {
  return partsOf(page).flatMap((part) => (part.type === "heading" && part.depth === level ? part.text : []));
}

export function tableRowsOf(page: string): string[][] {
  return partsOf(page).flatMap((part) =>
    part.type === "table" ? part.rows.map((cells) => cells.map(({ text }) => text)) : [],
  );
}
