import type { Route } from "../../lib/http/route.ts";

/** What stands for an id in examples of what there is not. */
export const EXAMPLE_ID = "7";

/** The URL of a request as failures repeat it. */
export function exampleUrl({ pattern }: Route<never>): string {
  return `https://api.example.com${pattern.replace(/\{\w+\}/g, EXAMPLE_ID)}`;
}
