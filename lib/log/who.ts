import { createHmac } from "node:crypto";

/** Who a request says it is from: proven by a token or a key, or only tried. */
interface Who {
  readonly names: readonly string[];
  readonly isTried: boolean;
}

/** Longer than any username. */
const MAX_NAME_LENGTH = 64;
/** As many as one request can register. */
const MAX_NAMES = 25;

const found = new WeakMap<object, Who>();

/** Remembers who sent the request with these headers, for its log line: a username, or `key:` and a key's name. */
export function identify(headers: object, name: string): void {
  found.set(headers, { names: [name], isTried: false });
}

/** Remembers the usernames that a login or a registration tries, also in a request that is invalid. */
export function identifyTried(headers: object, input: unknown): void {
  const names = [input]
    .flat()
    .slice(0, MAX_NAMES)
    .flatMap((each) => (each as { username?: unknown } | null | undefined)?.username)
    .filter((name) => typeof name === "string");
  if (names.length > 0 && !found.has(headers)) found.set(headers, { names, isTried: true });
}

export function whoSent(headers: object): Who | undefined {
  return found.get(headers);
}

/** A part of a name without commas, which separate names, and without what could disguise it in a terminal. */
export function loggedName(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[,\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** What stands for a name or an address in anonymous logs. @param key of the stage */
export function pseudonymOf(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 16);
}
