/** Compares by code point, the order of UTF-8 bytes, in every locale (docs/decisions.md). */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return Number(a.codePointAt(i)) - Number(b.codePointAt(i));
  }
  return a.length - b.length;
}

/**
 * Returns a predicate: does a text contain this one? Ignores case, and how letters are composed (NFKC), in no locale.
 */
export function containsIgnoringCase(part: string): (text: string) => boolean {
  const folded = fold(part);
  return (text) => fold(text).includes(folded);
}

/** Normalizing takes up to twenty times as long as lower case, and changes no ASCII. */
function fold(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  // The lower case of sigma depends on its position: the final form is replaced.
  return text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");
}
