import { JsonText } from "../../lib/http/response.ts";

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;

/** The levels of arrays and objects in valid JSON: 1 for `{}`. Recursion could overflow the stack. */
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

/** Puts a member first in a valid JSON object, instead of those with its name. Other text stays unchanged. */
export function withMember(json: string, name: string, value: unknown): JsonText {
  const others = membersOf(json).filter((member) => nameOf(member) !== name);
  return new JsonText(`{${[`${JSON.stringify(name)}:${JSON.stringify(value)}`, ...others].join(",")}}`);
}

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
