/**
 * JSON as text. `JSON.parse` followed by `JSON.stringify` changes what was sent: 1.0 becomes 1, 1e400 null,
 * of two members with one name the first is lost, and members named by digits move to the front.
 */
export class JsonText {
  /** Valid JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * How many arrays and objects lie within each other at most: 1 for `{}`, 2 for `{"a":[]}`. It uses no stack,
 * however deep they lie.
 *
 * @param json valid JSON
 */
export function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  scan(json, (character) => {
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  });
  return deepest;
}

/**
 * Puts a member at the front of an object and leaves the others as they are, except one of the same name,
 * which it replaces.
 *
 * @param json an object as valid JSON
 * @param name the member's name
 * @param value a JSON value
 */
export function withMember(json: string, name: string, value: unknown): JsonText {
  const others = membersOf(json).filter((member) => nameOf(member) !== name);
  return new JsonText(`{${[`${JSON.stringify(name)}:${JSON.stringify(value)}`, ...others].join(",")}}`);
}

/** The members of an object, as they are written. */
function membersOf(json: string): string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  scan(json, (character, at) => {
    if (character === "{" || character === "[") {
      depth += 1;
      if (depth === 1) start = at + 1;
    }
    const isEnd = character === "}" || character === "]";
    if (depth === 1 && (isEnd || character === ",")) {
      const member = json.slice(start, at);
      if (member.trim() !== "") members.push(member);
      start = at + 1;
    }
    if (isEnd) depth -= 1;
  });
  return members;
}

/** A name can be written with escapes, so it is compared decoded. */
function nameOf(member: string): unknown {
  const start = member.indexOf('"');
  return JSON.parse(member.slice(start, endOfString(member, start)));
}

/** Visits the characters that give a JSON text its structure: those outside of strings. */
function scan(json: string, visit: (character: string, at: number) => void): void {
  let at = 0;
  while (at < json.length) {
    const character = json.charAt(at);
    if (character === '"') {
      at = endOfString(json, at);
    } else {
      visit(character, at);
      at += 1;
    }
  }
}

/** The place after a string's closing quote. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json.charAt(at) !== '"') at += json.charAt(at) === "\\" ? 2 : 1;
  return at + 1;
}
