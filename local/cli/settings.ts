import type { SecretConstructId } from "../../lib/areas.ts";
import type { SecretValues } from "../aws/secret-values.ts";
import { StartError } from "../start-error.ts";
import { type LogLevel, logLevels } from "./terminal.ts";

/** What the environment variables of `npm start` say. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** A directory, or `memory`. */
  readonly dataDirectory: string;
  readonly endpoint?: string;
  /** The given values of secrets. */
  readonly secrets: SecretValues;
  readonly withCatalog: boolean;
  /** The stage's settings, by name; the stage itself refuses what does not fit. */
  readonly stageSettings: Readonly<Record<string, string>>;
  /** The least grave level of the functions' log that is shown. */
  readonly logLevel: LogLevel;
  /** Variables for every function besides those that the template declares. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Which of the stack's secrets a variable gives a value to. */
const secretVariables = {
  ADMIN_PASSWORD: "AdminPassword",
  API_KEYS: "ApiKeys",
  SIGNING_SECRET: "SigningSecrets",
} as const satisfies Readonly<Record<string, SecretConstructId | "AdminPassword">>;

/** Which of the stage's settings a variable gives a value to. */
const stageVariables = {
  CORS_HEADERS: "corsHeaders",
  CORS_METHODS: "corsMethods",
  CORS_ORIGINS: "origins",
  ITEM_CACHE_SECONDS: "itemCacheSeconds",
  USERS_LIST: "usersList",
  VERSION_HEADER: "versionHeader",
} as const;

/** The variable that gives a value to a stage's setting, if there is one. */
export function variableOf(setting: string): string | undefined {
  return Object.entries(stageVariables).find(([, name]) => name === setting)?.[0];
}

/** The variables and what they mean, for `--help`. */
export const settingsHelp = `
  PORT               where to listen (8080)
  HOST               the address to listen on (127.0.0.1, which only this machine reaches)
  DATA_DIR           where the database keeps its data (.data); "memory" keeps nothing
  DYNAMODB_ENDPOINT  the URL of a DynamoDB to use instead of the embedded one
  SEED               catalog loads a small product catalog where there has never been a product; none does not
                     (catalog)
  ADMIN_PASSWORD     the password of the account admin (one that is generated, kept and shown)
  API_KEYS           the static keys, comma-separated (one that is generated, kept and shown)
  SIGNING_SECRET     what signs tokens; comma-separated, the first signs (generated and kept)
  CORS_ORIGINS       the browser origins that may call, comma-separated (any)
  CORS_METHODS       with which methods, comma-separated (OPTIONS,GET,POST,PUT,DELETE)
  CORS_HEADERS       and which request headers, comma-separated (Content-Type)
  ITEM_CACHE_SECONDS how long clients may keep an item; 0 turns it off (60)
  LOG_LEVEL          what is shown of the functions' log: DEBUG, INFO (a line for each request), WARN, ERROR
                     or SILENT (WARN)
  USERS_LIST         what GET /users answers to who names no version: records or versioned (records)
  VERSION_HEADER     the request header that names the version of GET /users (api-version)
`;

/**
 * Reads the settings of the local run. An empty variable counts as absent.
 *
 * @param environment the process's environment variables
 * @throws {StartError} naming the variable whose value does not fit
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = (name: string) => environment[name] || undefined;
  const givenBy = (variables: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(variables).flatMap(([name, key]) => {
        const value = given(name);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  const endpoint = given("DYNAMODB_ENDPOINT");
  if (endpoint !== undefined && !(/^https?:\/\/[^/]/.test(endpoint) && URL.canParse(endpoint))) {
    throw new StartError(`DYNAMODB_ENDPOINT is a URL such as http://127.0.0.1:8000, not "${endpoint}".`);
  }
  const catalog = given("SEED") ?? "catalog";
  if (catalog !== "catalog" && catalog !== "none") {
    throw new StartError(`SEED is catalog or none, not "${catalog}".`);
  }
  for (const name of ["API_KEYS", "SIGNING_SECRET"]) {
    const list = given(name);
    if (list !== undefined && !/[^,\s]/.test(list))
      throw new StartError(`${name} is a list with commas between, and there is nothing in "${list}".`);
  }
  const logLevel = readLogLevel(given("LOG_LEVEL") ?? "WARN");
  return {
    port: readPort(given("PORT") ?? "8080"),
    host: given("HOST") ?? "127.0.0.1",
    dataDirectory: given("DATA_DIR") ?? ".data",
    ...(endpoint === undefined ? {} : { endpoint }),
    secrets: givenBy(secretVariables),
    stageSettings: givenBy(stageVariables),
    withCatalog: catalog === "catalog",
    logLevel,
    // Functions write INFO and what is graver, as in a deployment; only what is less has to be asked for.
    ...(logLevel === "DEBUG" ? { environment: { POWERTOOLS_LOG_LEVEL: logLevel } } : {}),
  };
}

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((each) => each === text.toUpperCase());
  if (level !== undefined) return level;
  throw new StartError(`LOG_LEVEL is ${logLevels.join(", ").replace(/, (\w+)$/, " or $1")}, not "${text}".`);
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new StartError(`PORT is a number from 0 (any free port) to 65535, not "${text}".`);
}
