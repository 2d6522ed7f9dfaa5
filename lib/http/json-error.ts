/** What a value can start with: tokens by their first character, and 0 for all numbers and words. */
const VALUE = '[{"0';
const TOKEN =
  /[[\]{}:,]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Returns the index of the first invalid token (RFC 8259), or the length if only the end is missing. The
 * message of `JSON.parse` quotes the text and differs between versions. No recursion: deep texts are safe.
 */
export function findJsonError(text: string): number {
  const open: string[] = [];
  let expected = VALUE;
  for (let index = skip(SPACE, text, 0); ; ) {
    const end = skip(TOKEN, text, index);
    const first = text.charAt(index);
    const token = '[]{}:,"'.includes(first) ? first : "0";
    if (end === index || !expected.includes(token)) return index;
    if ("[{".includes(token)) open.push(token);
    else if ("]}".includes(token)) open.pop();
    const isName = token === '"' && !expected.includes("0");
    expected = isName ? ":" : expectedAfter(token, open.at(-1));
    index = skip(SPACE, text, end);
  }
}

/** @param container the bracket of the innermost list or object that is still open */
function expectedAfter(token: string, container: string | undefined): string {
  if (token === "[") return `${VALUE}]`;
  if (token === "{") return '"}';
  if (token === ":") return VALUE;
  if (token === ",") return container === "[" ? VALUE : '"';
  return container === undefined ? "" : container === "[" ? ",]" : ",}";
}

function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}
