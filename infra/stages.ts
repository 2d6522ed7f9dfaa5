import { CorsHttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { RetentionDays } from "aws-cdk-lib/aws-logs";
import * as z from "zod";
import {
  DEFAULT_VERSION_HEADER,
  type UsersListFormat,
  usersListFormats,
} from "../lib/validators/users-list.ts";

/** What differs between deployments. */
export interface Stage {
  readonly name: StageName;
  /** Origins that browsers may call from: `*`, or scheme and host. */
  readonly corsOrigins: readonly string[];
  readonly corsMethods: readonly CorsHttpMethod[];
  readonly corsHeaders: readonly string[];
  /** What `GET /users` answers where the request names no version. */
  readonly usersList: UsersListFormat;
  /** The request header that names the version of `GET /users`, in lower case. */
  readonly versionHeader: string;
  /** How long clients may keep an item, in seconds; 0 for not at all. */
  readonly itemCacheSeconds: number;
  readonly logRetention: RetentionDays;
  /** What the gateway lets through of all routes together; twice as much at once. */
  readonly requestsPerSecond: number;
  /** How many environments Lambda runs at once in this AWS account; 0 reserves none for single functions. */
  readonly lambdaConcurrency: number;
  /** Tables outlive the stack, cannot be deleted by mistake and can be restored to any second. */
  readonly keepData: boolean;
  /** Whether trouble is reported to a topic. */
  readonly alarms: boolean;
}

export type StageName = "dev" | "prod";

/** A field name (RFC 9110, 5.1); `*` is one too. */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * What a deployment can be told with `-c name=value`, beside its stage: how the text is read. Without one it is as
 * the specification says ("What the service does", 8; "Versioning"), or docs/decisions.md.
 */
const settings = z.object({
  origins: commaSeparated(
    z.string().refine((text) => text === "*" || isOrigin(text)),
    "browser origins, comma-separated, such as https://www.example.com",
  ).optional(),
  corsMethods: commaSeparated(
    z.enum(CorsHttpMethod),
    "HTTP methods, comma-separated, such as GET,POST,PATCH",
  ).default([
    CorsHttpMethod.OPTIONS,
    CorsHttpMethod.GET,
    CorsHttpMethod.POST,
    CorsHttpMethod.PUT,
    CorsHttpMethod.DELETE,
  ]),
  corsHeaders: commaSeparated(
    z.string().regex(headerName),
    "names of headers, comma-separated, such as Content-Type,Authorization",
  ).default(["Content-Type"]),
  usersList: z.enum(usersListFormats, "records or versioned").default("records"),
  versionHeader: z
    .string()
    .regex(headerName, "the name of a header, such as api-version")
    .toLowerCase()
    .default(DEFAULT_VERSION_HEADER),
  itemCacheSeconds: wholeNumber(8, "whole seconds, such as 60; 0 says nothing of caching").default(60),
  lambdaConcurrency: wholeNumber(6, "the account's quota of concurrent executions, such as 1000").default(0),
});

/** The settings as texts; one that is not given has its default. */
export type StageSettings = { readonly [S in keyof typeof settings.shape]?: string | undefined };

export const settingNames = settings.keyof().options;

/** A setting that does not fit. */
export class SettingError extends Error {
  readonly setting: string;
  /** What the setting has to be, as the rest of a sentence. */
  readonly expectation: string;

  constructor(setting: string, expectation: string) {
    super(`-c ${setting}=… is ${expectation}`);
    this.setting = setting;
    this.expectation = expectation;
  }
}

/**
 * The settings of a stage.
 *
 * @param name `dev` or `prod` (`-c stage=…`)
 * @param texts the other settings
 * @throws SettingError saying what to give when the name or a setting does not fit
 */
export function stageOf(name: string, texts: StageSettings): Stage {
  const { origins, ...given } = read(texts);
  switch (name) {
    case "dev":
      return {
        name,
        ...given,
        corsOrigins: origins ?? ["*"],
        logRetention: RetentionDays.ONE_WEEK,
        requestsPerSecond: 100,
        keepData: false,
        alarms: false,
      };
    case "prod":
      if (origins === undefined || origins.includes("*"))
        throw new SettingError(
          "origins",
          "what prod needs: the origins it serves, https://www.example.com[,…]",
        );
      return {
        name,
        ...given,
        corsOrigins: origins,
        logRetention: RetentionDays.ONE_YEAR,
        requestsPerSecond: 1_000,
        keepData: true,
        alarms: true,
      };
    default:
      throw new SettingError("stage", `dev or prod, not "${name}"`);
  }
}

function read(texts: StageSettings) {
  const { success, data, error } = settings.safeParse(texts);
  if (success) return data;
  const [issue] = error.issues;
  const setting = issue?.path[0] as keyof StageSettings;
  throw new SettingError(setting, `${issue?.message}, not "${texts[setting]}"`);
}

function commaSeparated<T>(entry: z.ZodType<T>, expectation: string) {
  return z.string().transform((text, context): T[] => {
    const entries = text.split(",").filter((each) => each !== "");
    const { success, data } = z.array(entry).min(1).safeParse(entries);
    if (success) return data;
    context.issues.push({ code: "custom", message: expectation, input: text });
    return z.NEVER;
  });
}

function wholeNumber(digits: number, expectation: string) {
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${digits}}$`), expectation)
    .transform(Number);
}

/** Scheme and host, nothing else: that is what browsers send in `Origin`. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
