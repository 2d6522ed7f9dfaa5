import type { SecretValues } from "./secret-values.ts";
import { StartError } from "./start-error.ts";
import { type LogLevel, logLevels } from "./terminal.ts";

/** What the environment variables of `npm start` say. */
export interface Settings {
  readonly port: number;
  readonly host: string;
  /** A directory, or `memory`. */
  readonly dataDirectory: string;
  readonly endpoint?: string;
  readonly origins?: string;
  /** The given values of secrets. */
  readonly secrets: SecretValues;
  readonly usersList?: string;
  readonly withCatalog: boolean;
  readonly itemCacheSeconds?: string;
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
} as const;

/** The variables and what they mean, for `--help`. */
export const settingsHelp = `
  PORT               where to listen (8080)
  HOST               the address to listen on (127.0.0.1, which only this machine reaches)
  DATA_DIR           where the database keeps its data (.data); "memory" keeps nothing
  DYNAMODB_ENDPOINT  the URL of a DynamoDB to use instead of the embedded one
  SEED               catalog loads a small product catalog into an empty database; none does not (catalog)
  ADMIN_PASSWORD     the password of the account admin (one that is generated, kept and shown)
  API_KEYS           the static keys, comma-separated (one that is generated, kept and shown)
  SIGNING_SECRET     what signs tokens; comma-separated, the first signs (generated and kept)
  CORS_ORIGINS       the browser origins that may call, comma-separated (any)
  ITEM_CACHE_SECONDS how long clients may keep an item; 0 turns it off (60)
  LOG_LEVEL          what is shown of the functions' log: DEBUG, INFO (a line for each request), WARN, ERROR
                     or SILENT (WARN)
  USERS_LIST         what GET /users answers to who names no version: records or versioned (records)
`;

/**
 * Reads the settings of the local run. An empty variable counts as absent.
 *
 * @param environment the process's environment variables
 * @throws {StartError} naming the variable whose value does not fit
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = (name: string) => environment[name] || undefined;
  const endpoint = given("DYNAMODB_ENDPOINT");
  const origins = given("CORS_ORIGINS");
  const usersList = given("USERS_LIST");
  const itemCacheSeconds = given("ITEM_CACHE_SECONDS");
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) {
    throw new StartError(`DYNAMODB_ENDPOINT is a URL such as http://127.0.0.1:8000, not "${endpoint}".`);
  }
  if (usersList !== undefined && usersList !== "records" && usersList !== "versioned") {
    throw new StartError(`USERS_LIST is records or versioned, not "${usersList}".`);
  }
  const catalog = given("SEED") ?? "catalog";
  if (catalog !== "catalog" && catalog !== "none") {
    throw new StartError(`SEED is catalog or none, not "${catalog}".`);
  }
  if (itemCacheSeconds !== undefined && !/^\d{1,8}$/.test(itemCacheSeconds)) {
    throw new StartError(`ITEM_CACHE_SECONDS is a number of whole seconds, not "${itemCacheSeconds}".`);
  }
  const logLevel = readLogLevel(given("LOG_LEVEL") ?? "WARN");
  return {
    port: readPort(given("PORT") ?? "8080"),
    host: given("HOST") ?? "127.0.0.1",
    dataDirectory: given("DATA_DIR") ?? ".data",
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(origins === undefined ? {} : { origins }),
    secrets: Object.fromEntries(
      Object.entries(secretVariables).flatMap(([name, label]) => {
        const value = given(name);
        return value === undefined ? [] : [[label, value]];
      }),
    ),
    ...(usersList === undefined ? {} : { usersList }),
    withCatalog: catalog === "catalog",
    logLevel,
    // Functions write INFO and what is graver, as in a deployment; only what is less has to be asked for.
    ...(logLevel === "DEBUG" ? { environment: { POWERTOOLS_LOG_LEVEL: logLevel } } : {}),
    ...(itemCacheSeconds === undefined ? {} : { itemCacheSeconds }),
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
