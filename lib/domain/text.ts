/**
 * Orders text by code points, which is also the order of its UTF-8 bytes: the same on every machine, whatever
 * its locale. Upper case sorts before lower case, accented letters after z (docs/decisions.md).
 *
 * @returns a number below 0 when `a` comes first, above 0 when `b` does, 0 for equal texts
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return Number(a.codePointAt(i)) - Number(b.codePointAt(i));
  }
  return a.length - b.length;
}

/**
 * Makes the test of whether a text contains another one, upper and lower case being the same: by Unicode's
 * default lower case, without a locale and without normalisation (docs/decisions.md).
 *
 * @param part what to look for; every text contains the empty one
 */
export function containsIgnoringCase(part: string): (text: string) => boolean {
  const folded = fold(part);
  return (text) => fold(text).includes(folded);
}

/**
 * A final sigma is the one letter whose lower case depends on what follows. Left as it is, a part of a word
 * would not be found in the word.
 */
function fold(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}
