import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** `quick` for `npm test`, which has small inputs; `rest` for what it leaves out. */
    effort: "quick" | "full" | "rest";
  }
}

/** The size of a test's input or its number of runs: a fifth of it in `npm test`. */
export function scaled(size: number): number {
  return inject("effort") === "quick" ? Math.ceil(size / 5) : size;
}

/** Cases that do not depend on the effort: none beside `npm test`, which has them already. */
export function onlyOnce<const Case>(cases: readonly Case[]): readonly Case[] {
  return inject("effort") === "rest" ? [] : cases;
}
