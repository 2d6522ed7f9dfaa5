import type { Route } from "../../lib/http/route.ts";

/** The value of placeholders in examples. */
export const EXAMPLE_ID = "7";

/** The URL that examples of errors contain. */
export function exampleUrl({ pattern }: Route): string {
  return `https://api.example.com${pattern.replace(/\{\w+\}/g, EXAMPLE_ID)}`;
}
