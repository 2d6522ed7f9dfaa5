import { createHmac } from "node:crypto";
import { setSender } from "./log.ts";

/** What a username can be. Anything else may be a password in the wrong field, or disguise itself in a terminal. */
const USERNAME = /^\w{1,50}$/;
const NO_USERNAME = "-";
const MAX_NAMES = 25;

/** Only anonymous logs have one. The second is a former one. */
const [key = ""] = (process.env.LOG_KEY ?? "").split(",");
const shown = (text: string) => (key ? pseudonymOf(text, key) : text);

/** Lets the log line say who sent the request with these headers: a username, or `key:` and a key's name. */
export function identify(headers: object, name: string): void {
  setSender(headers, { account: shown(name) });
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
  const account = names.map((name) => (USERNAME.test(name) ? shown(name) : NO_USERNAME)).join();
  if (names.length > 0) setSender(headers, { account, sourceIp: shown(address) });
}

/** What stands for a name or an address in anonymous logs. @param key of the stage */
export function pseudonymOf(text: string, key: string): string {
  return createHmac("sha256", key).update(text).digest("hex").slice(0, 16);
}
