/** Compares by code point, the order of UTF-8 bytes, in every locale (docs/decisions.md). */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return Number(a.codePointAt(i)) - Number(b.codePointAt(i));
  }
  return a.length - b.length;
}

/** Returns a predicate: does a text contain this one? Lower case without a locale (docs/decisions.md). */
export function containsIgnoringCase(part: string): (text: string) => boolean {
  const folded = foldCase(part);
  // Replacing sigmas takes longer than the rest.
  if (!folded.includes("σ")) return (text) => text.toLowerCase().includes(folded);
  return (text) => foldCase(text).includes(folded);
}

/** The lower case of sigma depends on its position: the final form is replaced. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
