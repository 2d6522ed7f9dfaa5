/** What a value can start with: tokens by their first character, and 0 for all numbers and words. */
const VALUE = '[{"0';
const TOKEN =
  /[[\]{}:,]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

/**
 * Finds where a text stops being JSON (RFC 8259). What `JSON.parse` says differs between versions of Node and
 * quotes the text. It does not recurse, so that no depth overflows the stack.
 *
 * @returns the index of the first invalid token; the length of the text if only its end is missing
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

/** @returns the index after what the pattern matches at an index; the same index for nothing */
function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}
