/** Which token may come next. */
type Expected = "value" | "value or ]" | "name" | "name or }" | ":" | ", or end";

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
  let expected = "value" as Expected;
  let index = skip(space, text, 0);
  while (index < text.length) {
    const character = text.charAt(index);
    const isValueExpected: boolean = expected === "value" || expected === "value or ]";
    const isNameExpected: boolean = expected === "name" || expected === "name or }";
    let end = index + 1;
    if (isValueExpected && (character === "[" || character === "{")) {
      open.push(character);
      expected = character === "[" ? "value or ]" : "name or }";
    } else if (isClosing(character, open.at(-1), expected)) {
      open.pop();
      expected = ", or end";
    } else if (expected === ":" && character === ":") {
      expected = "value";
    } else if (expected === ", or end" && character === "," && open.length > 0) {
      expected = open.at(-1) === "[" ? "value" : "name";
    } else if (character === '"' && (isValueExpected || isNameExpected)) {
      end = endOfString(text, index);
      expected = isNameExpected ? ":" : ", or end";
    } else {
      end = isValueExpected ? skip(scalar, text, index) : index;
      expected = ", or end";
    }
    if (end === index) return index;
    index = skip(space, text, end);
  }
  return index;
}

function isClosing(character: string, opening: string | undefined, expected: Expected): boolean {
  if (character === "]") return opening === "[" && (expected === ", or end" || expected === "value or ]");
  return character === "}" && opening === "{" && (expected === ", or end" || expected === "name or }");
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
