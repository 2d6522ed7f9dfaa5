/** Tokens are named by their first character; all numbers and words by this one. */
const SCALAR = "0";
/** The tokens that a value can start with. */
const VALUE = `[{"${SCALAR}`;

/** Numbers and words, at the position of the search. */
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const space = /[ \t\n\r]*/y;
/** The characters of a string up to its end, an escape, or a character that it must not contain. */
const plain = /[ !#-[\]-\uffff]*/y;
const escapeSequence = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/**
 * Finds where a text stops being JSON (RFC 8259): what `JSON.parse` says differs between versions of Node, and it
 * quotes the text. It does not recurse, so that no depth overflows the stack.
 *
 * @returns the index of the first invalid token; the length of the text if only its end is missing
 */
export function findJsonError(text: string): number {
  const open: string[] = [];
  let expected = VALUE;
  let index = skip(space, text, 0);
  while (index < text.length) {
    const { token, end } = readToken(text, index);
    if (end === index || !expected.includes(token)) return index;
    if (token === "[" || token === "{") open.push(token);
    if (token === "]" || token === "}") open.pop();
    const isName = token === '"' && !expected.includes(SCALAR);
    expected = isName ? ":" : expectedAfter(token, open.at(-1));
    index = skip(space, text, end);
  }
  return index;
}

/** @returns the token's name, and the index after it: the same index if it is invalid */
function readToken(text: string, index: number): { token: string; end: number } {
  const first = text.charAt(index);
  if (first === '"') return { token: first, end: endOfString(text, index) };
  if ("[]{}:,".includes(first)) return { token: first, end: index + 1 };
  return { token: SCALAR, end: skip(scalar, text, index) };
}

/** @param container the bracket of the innermost list or object that is still open */
function expectedAfter(token: string, container: string | undefined): string {
  switch (token) {
    case "[":
      return `${VALUE}]`;
    case "{":
      return '"}';
    case ":":
      return VALUE;
    case ",":
      return container === "[" ? VALUE : '"';
    default:
      return container === undefined ? "" : container === "[" ? ",]" : ",}";
  }
}

/** @returns the index itself if the string is not closed, or contains an invalid character or escape */
function endOfString(text: string, start: number): number {
  let index = skip(plain, text, start + 1);
  while (text.charAt(index) === "\\") {
    const end = skip(escapeSequence, text, index);
    if (end === index) return start;
    index = skip(plain, text, end);
  }
  return text.charAt(index) === '"' ? index + 1 : start;
}

/** @returns the index after what the pattern matches at an index */
function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}
