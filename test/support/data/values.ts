/** The largest safe integer, an id that no record has. */
export const UNKNOWN_ID = 9_007_199_254_740_991;

/** A word that no record contains yet. */
export function uniqueWord(): string {
  return `w${crypto.randomUUID().replaceAll("-", "")}`;
}
