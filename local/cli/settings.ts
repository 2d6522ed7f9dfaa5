import { CommandError } from "../../cli/errors.ts";
import type { AreaSettings } from "../../functions/define-area.ts";
import { MIN_SIGNING_SECRET_BYTES, type SecretConstructId } from "../../lib/construct-ids.ts";
import { apiKeyOf } from "../aws/secret-values.ts";
import { type LogLevel, logLevels } from "../log-entry.ts";
import { loadModule } from "../stack/code-error.ts";

export type Settings = ReturnType<typeof readSettings>;

type Environment = Readonly<Record<string, string | undefined>>;

const secretVariables: Readonly<Record<SecretConstructId | "AdminPassword", string>> = {
  AdminPassword: "ADMIN_PASSWORD",
  ApiKeys: "API_KEYS",
  SigningSecrets: "SIGNING_SECRET",
};

/** The areas' settings. They are the service's own code, so that a mistake there is reported in one line. */
export async function loadAreaSettings(): Promise<AreaSettings> {
  const { areaSettings } = await loadModule(() => import("../../functions/area-settings.ts"));
  return areaSettings;
}

function stageVariables(areaSettings: AreaSettings): Readonly<Record<string, string>> {
  const entries = Object.entries(areaSettings).map(([name, { variable }]) => [name, variable]);
  return {
    access: "ACCESS",
    address: "ADDRESS",
    browserClients: "CORS_BROWSER_CLIENTS",
    issuer: "ISSUER",
    origins: "CORS_ORIGINS",
    trustedProxy: "TRUSTED_PROXY",
    ...Object.fromEntries(entries),
  };
}

/** Checks what needs the service's own code. @throws {CommandError} naming the variable with an invalid value */
export async function checkSettings(
  { stageSettings, secrets: { AdminPassword: password } }: Pick<Settings, "stageSettings" | "secrets">,
  areaSettings: AreaSettings,
): Promise<void> {
  if (Object.keys(stageSettings).length > 0) {
    const [{ resolveStage }, { SettingError }] = await loadModule(() =>
      Promise.all([import("../../infra/settings/stages.ts"), import("../../infra/settings/settings.ts")]),
    );
    try {
      resolveStage("dev", stageSettings);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      throw new CommandError(`${stageVariables(areaSettings)[error.setting]} ${error.expectation}.`);
    }
  }
  if (password === undefined) return;
  const { problemOf } = await loadModule(() => import("../../lib/auth/account-fields.ts"));
  const problem = problemOf("password", password);
  if (problem !== undefined) throw new CommandError(`ADMIN_PASSWORD is refused: ${problem}.`);
}

/** A key is as hard to guess as a password may be; tokens show whether a guessed secret is right. */
const MIN_SECRET_BYTES = { API_KEYS: 8, SIGNING_SECRET: MIN_SIGNING_SECRET_BYTES };

/** What the values of variables must be. */
const rules: Readonly<Record<string, readonly [expected: string, isValid: (text: string) => boolean]>> = {
  DYNAMODB_ENDPOINT: [
    "a URL such as http://127.0.0.1:8000",
    (text) => /^http:\/\/[^/]/.test(text) && URL.canParse(text),
  ],
  SEED: ["catalog, demo or none", (text) => /^(catalog|demo|none)$/.test(text)],
  LOG_FORMAT: ["text or json", (text) => /^(text|json)$/.test(text)],
  LOG_LEVEL: [
    logLevels.join(", ").replace(/, (\w+)$/, " or $1"),
    (text) => logLevels.some((each) => each === text.toUpperCase()),
  ],
  MAX_ENVIRONMENTS: ["a number from 1 to 999", (text) => /^[1-9]\d{0,2}$/.test(text)],
  PORT: ["a number from 0 (any free port) to 65535", (text) => /^\d+$/.test(text) && Number(text) <= 65_535],
};

export function readDataDirectory(environment: Environment): string {
  return environment.DATA_DIR || ".data";
}

/** An empty variable counts as absent. @throws {CommandError} naming the variable with an invalid value */
export function readSettings(environment: Environment, areaSettings: AreaSettings = {}) {
  const read = (name: string) => environment[name] || undefined;
  const readAll = (names: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(names).flatMap(([name, variable]) => {
        const value = read(variable);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  checkValues(read);
  const endpoint = read("DYNAMODB_ENDPOINT");
  const seed = read("SEED");
  const environments = read("MAX_ENVIRONMENTS");
  const isJsonLog = read("LOG_FORMAT") === "json";
  const logLevel = read("LOG_LEVEL") ?? (isJsonLog ? "INFO" : "WARN");
  return {
    port: Number(read("PORT") ?? 8080),
    host: read("HOST") ?? "127.0.0.1",
    dataDirectory: readDataDirectory(environment),
    ...(endpoint === undefined ? {} : { endpoint }),
    secrets: readAll(secretVariables),
    stageSettings: readAll(stageVariables(areaSettings)),
    withCatalog: seed !== "none",
    withDemo: seed === "demo",
    limits: environments === undefined ? {} : { environments: Number(environments) },
    logLevel: logLevel.toUpperCase() as LogLevel,
    isJsonLog,
  };
}

function checkValues(read: (name: string) => string | undefined): void {
  for (const [name, [expected, isValid]] of Object.entries(rules)) {
    const value = read(name);
    if (value !== undefined && !isValid(value)) throw invalid(name, expected, value);
  }
  for (const [name, minBytes] of Object.entries(MIN_SECRET_BYTES)) {
    const list = read(name);
    if (list !== undefined) checkSecretList(name, list, minBytes);
  }
}

function checkSecretList(name: string, list: string, minBytes: number): void {
  // Empty values are dropped where the secret is read.
  const values = list.split(",").filter((value) => value.trim() !== "");
  if (values.length === 0) throw invalid(name, "a comma-separated list with at least one value", list);
  const keyOf = (value: string) => (name === "API_KEYS" ? apiKeyOf(value) : value);
  if (values.some((value) => Buffer.byteLength(keyOf(value.trim())) < minBytes))
    throw new CommandError(
      `${name} must have at least ${minBytes} bytes in each of its values: shorter ones can be guessed.`,
    );
}

function invalid(variable: string, expected: string, value: string): CommandError {
  return new CommandError(`${variable} must be ${expected}, not "${value}".`);
}
