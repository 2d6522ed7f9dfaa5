import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** `quick` for `npm test`, which has small inputs. */
    effort: "quick" | "full";
  }
}

/** The size of a test's input or its number of runs: all of it with full effort, a fifth of it in `npm test`. */
export function scaled(size: number): number {
  return inject("effort") === "full" ? size : Math.ceil(size / 5);
}
