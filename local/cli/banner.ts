import type { SecretValues } from "../aws/secret-values.ts";
import type { Settings } from "./settings.ts";

interface ReadyRun {
  readonly url: string;
  /** Where the gateway serves the page that shows requests; undefined if it does not. */
  readonly devViewPath?: string;
  readonly secrets: SecretValues;
  readonly seconds: string;
}

/** The text that is shown when the run is ready. Values from environment variables are not repeated. */
export function bannerText(
  { url, devViewPath, secrets, seconds }: ReadyRun,
  { dataDirectory, endpoint, secrets: given }: Settings,
  bold: (text: string) => string,
): string {
  // Some browsers open no address that stands for all.
  const origin = url.replace(/\/\/(127\.0\.0\.1|0\.0\.0\.0|\[::\]):/, "//localhost:");
  const argument = dataDirectory === ".data" ? "" : ` -- "${dataDirectory}"`;
  const data =
    dataDirectory === "memory"
      ? "in memory, lost when the run stops"
      : `${dataDirectory} (npm run reset${argument} deletes it)`;
  const password = given.AdminPassword === undefined ? secrets.AdminPassword : "from ADMIN_PASSWORD";
  const rows = [
    ["Documentation", `${origin}/docs`],
    ["Requests", devViewPath && origin + devViewPath],
    ["Account", `admin, password ${password}`],
    ["API key", given.ApiKeys === undefined ? secrets.ApiKeys : "from API_KEYS"],
    ["Data", endpoint === undefined ? data : `at ${endpoint}`],
    ["Stop", "Ctrl-C"],
  ].flatMap(([name = "", text]) => (text === undefined ? [] : [`  ${name.padEnd(15)}${text}`]));
  return ["", bold(`Ready at ${origin} after ${seconds} s`), "", ...rows, ""].join("\n");
}
