import { createHmac } from "node:crypto";
import { setSender } from "./log.ts";

/** Longer than any username. */
const MAX_NAME_LENGTH = 64;
/** As many as one request can register. */
const MAX_NAMES = 25;

/** Only anonymous logs have one. The second is a former one. */
const [key = ""] = (process.env.LOG_KEY ?? "").split(",");
const shown = (text: string) => (key ? pseudonymOf(text, key) : text);

/** Lets the log line say who sent the request with these headers: a username, or `key:` and a key's name. */
export function identify(headers: object, name: string): void {
  setSender(headers, { account: shown(loggedName(name)) });
}

/** Lets the log line say which usernames a login or a registration tries, also in an invalid request. */
export function identifyTried(
  { headers, address }: { readonly headers: object; readonly address: string },
  input: unknown,
): void {
  const names = [input]
    .flat()
    .slice(0, MAX_NAMES)
    .flatMap((each) => (each as { username?: unknown } | null | undefined)?.username)
    .filter((name) => typeof name === "string");
  const account = names.map((name) => shown(loggedName(name))).join();
  if (names.length > 0) setSender(headers, { account, sourceIp: shown(address) });
}

/** A part of a name without commas, which separate names, and without what could disguise it in a terminal. */
export function loggedName(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH).replace(/[,\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

/** What stands for a name or an address in anonymous logs. @param key of the stage */
export function pseudonymOf(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 16);
}
