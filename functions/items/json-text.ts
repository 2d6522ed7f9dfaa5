import { JsonText } from "../../lib/http/response.ts";

/** The tokens that the structure of a JSON text consists of, and its strings. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

/**
 * The maximum nesting depth of arrays and objects: 1 for `{}`, 2 for `{"a":[]}`. It does not recurse, so that
 * no depth overflows the stack.
 *
 * @param json valid JSON
 */
export function nestingDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of json.matchAll(TOKEN)) {
    if ("{[".includes(token)) depth += 1;
    else if ("}]".includes(token)) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/**
 * Adds a member as the first one of an object. It replaces members of the same name; the text of the others
 * stays unchanged.
 *
 * @param json an object as valid JSON
 */
export function withMember(json: string, name: string, value: unknown): JsonText {
  const others = membersOf(json).filter((member) => nameOf(member) !== name);
  return new JsonText(`{${[`${JSON.stringify(name)}:${JSON.stringify(value)}`, ...others].join(",")}}`);
}

/** The source text of each member of an object. */
function membersOf(json: string): string[] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of json.matchAll(TOKEN)) {
    const isStart = "{[".includes(token);
    const isEnd = "}]".includes(token);
    if (isStart) depth += 1;
    if (depth === 1 && (isStart || isEnd || token === ",")) {
      const member = json.slice(start, index);
      if (member.trim() !== "") members.push(member);
      start = index + 1;
    }
    if (isEnd) depth -= 1;
  }
  return members;
}

/** The decoded name of a member: escapes can spell the same name differently. */
function nameOf(member: string): unknown {
  return JSON.parse(member.match(TOKEN)?.[0] ?? "null");
}
