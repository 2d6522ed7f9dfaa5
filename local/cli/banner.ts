import type { SecretValues } from "../aws/secret-values.ts";
import type { Settings } from "./settings.ts";

/** What there is to say of a run that is ready. */
interface Ready {
  /** The gateway's. */
  readonly url: string;
  /** The values of the stack's secrets, and `AdminPassword`. */
  readonly secrets: SecretValues;
  /** How long the start took. */
  readonly seconds: string;
}

/**
 * What a run says when it is ready: where everything is, and what was generated. Values that were given are not
 * repeated.
 *
 * @param strong sets off what matters most
 */
export function bannerText(
  { url, secrets, seconds }: Ready,
  { dataDirectory, endpoint, secrets: given }: Settings,
  strong: (text: string) => string,
): string {
  const origin = url.replace("//127.0.0.1:", "//localhost:");
  const data =
    dataDirectory === "memory" ? "in memory: nothing is kept" : `${dataDirectory} (npm run reset deletes it)`;
  const password = given.AdminPassword === undefined ? secrets.AdminPassword : "as in ADMIN_PASSWORD";
  const rows = [
    ["Documentation", `${origin}/docs`],
    ["Account", `admin, password ${password}`],
    ["API key", given.ApiKeys === undefined ? secrets.ApiKeys : "as in API_KEYS"],
    ["Data", endpoint === undefined ? data : `at ${endpoint}`],
    ["Stop", "Ctrl-C"],
  ].flatMap(([name = "", text]) => (text === undefined ? [] : [`  ${name.padEnd(15)}${text}`]));
  return ["", strong(`Ready at ${origin} after ${seconds} s`), "", ...rows, ""].join("\n");
}
