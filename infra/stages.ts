import type { RetentionDays } from "aws-cdk-lib/aws-logs";
import * as z from "zod";
import {
  DEFAULT_VERSION_HEADER,
  type UsersListFormat,
  usersListFormats,
} from "../lib/validators/users-list.ts";

/** The settings of a deployment. */
export interface Stage {
  readonly name: StageName;
  /** The browser origins that CORS allows: `*`, or scheme and host each. */
  readonly corsOrigins: readonly string[];
  /** Whether pages of those origins may use all methods and headers of the API, beyond the specified ones. */
  readonly browserClients: boolean;
  /** The response of `GET /users` to requests without a version header. */
  readonly usersList: UsersListFormat;
  /** The request header that names the version of `GET /users`, in lower case. */
  readonly versionHeader: string;
  /** How long clients may cache an item, in seconds; 0 omits `Cache-Control`. */
  readonly itemCacheSeconds: number;
  /** In days. */
  readonly logRetention: RetentionDays;
  /** The gateway's limit for all routes together; the burst limit is twice as much. */
  readonly requestsPerSecond: number;
  /** The AWS account's quota of concurrent executions; 0 reserves none for single functions. */
  readonly lambdaConcurrency: number;
  /** Tables stay when the stack is deleted, have deletion protection and point-in-time recovery. */
  readonly keepData: boolean;
  /** The deployment's own name; undefined for the one that API Gateway gives it. */
  readonly domain?: CustomDomain | undefined;
  /** Whether the stack has alarms and a topic for them. */
  readonly alarms: boolean;
}

/** The name under which clients call a deployment. */
export interface CustomDomain {
  /** For example `api.example.com`. */
  readonly name: string;
  /** A certificate for the name, in the region of the stack. */
  readonly certificateArn: string;
  /** The id of the name's public zone in Route 53; undefined if its DNS records are kept elsewhere. */
  readonly hostedZone?: string;
}

export type StageName = "dev" | "prod";

/** A field name (RFC 9110, 5.1). */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The settings that `-c name=value` changes, except for the stage. The defaults are the specification's ("What the
 * service does", 8; "Versioning"; "Limits").
 */
const settings = z.object({
  origins: commaSeparated(
    z.string().refine((text) => text === "*" || isOrigin(text)),
    "must be browser origins, comma-separated, for example https://www.example.com",
  ).optional(),
  browserClients: z
    .enum(["true", "1", "false", "0"], "must be true, false, 1 or 0")
    .default("false")
    .transform((text) => text === "true" || text === "1"),
  usersList: z.enum(usersListFormats, "must be records or versioned").default("records"),
  versionHeader: z
    .string()
    .regex(headerName, "must be a header name, for example api-version")
    .toLowerCase()
    .default(DEFAULT_VERSION_HEADER),
  itemCacheSeconds: wholeNumber(
    8,
    "must be a whole number of seconds, for example 60; 0 omits Cache-Control",
  ).default(60),
  lambdaConcurrency: wholeNumber(
    6,
    "must be the account's quota of concurrent executions, for example 1000",
  ).default(0),
  domain: z
    .string()
    .regex(/^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/, "must be a domain name, for example api.example.com")
    .optional(),
  certificateArn: z
    .string()
    .regex(
      /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
      "must be the ARN of the domain's certificate in Certificate Manager",
    )
    .optional(),
  hostedZone: z
    .string()
    .regex(/^Z[A-Z\d]+$/, "must be the id of a hosted zone in Route 53, for example Z0123456789ABCDEFGHIJ")
    .optional(),
});

/** The settings as texts; absent ones get their defaults. */
export type StageSettings = { readonly [S in keyof typeof settings.shape]?: string | undefined };

export const settingNames = settings.keyof().options;

/** An unknown or invalid setting. */
export class SettingError extends Error {
  readonly setting: string;
  /** The rest of the sentence that begins with the setting: "must be …". */
  readonly expectation: string;

  constructor(setting: string, expectation: string) {
    super(`-c ${setting}=… ${expectation}`);
    this.setting = setting;
    this.expectation = expectation;
  }
}

/**
 * Resolves a stage and its settings.
 *
 * @param name `dev` or `prod` (`-c stage=…`)
 * @throws SettingError when the name or a setting is invalid
 */
export function resolveStage(name: string, texts: StageSettings): Stage {
  const { origins, domain, certificateArn, hostedZone, ...others } = parseSettings(texts);
  const common = { ...others, domain: customDomain(domain, certificateArn, hostedZone) };
  switch (name) {
    case "dev":
      return {
        name,
        ...common,
        corsOrigins: origins ?? ["*"],
        logRetention: 7,
        requestsPerSecond: 100,
        keepData: false,
        alarms: false,
      };
    case "prod":
      if (origins === undefined || origins.includes("*"))
        throw new SettingError(
          "origins",
          "is required for prod: the browser origins to allow, for example https://www.example.com",
        );
      return {
        name,
        ...common,
        corsOrigins: origins,
        logRetention: 365,
        requestsPerSecond: 1_000,
        keepData: true,
        alarms: true,
      };
    default:
      throw new SettingError("stage", `must be dev or prod, not "${name}"`);
  }
}

function parseSettings(texts: StageSettings) {
  const { success, data, error } = settings.safeParse(texts);
  if (success) return data;
  const [issue] = error.issues;
  const setting = issue?.path[0] as keyof StageSettings;
  throw new SettingError(setting, `${issue?.message}, not "${texts[setting]}"`);
}

function customDomain(
  name: string | undefined,
  certificateArn: string | undefined,
  hostedZone: string | undefined,
): CustomDomain | undefined {
  if (name !== undefined && certificateArn === undefined)
    throw new SettingError("certificateArn", "is required for a domain: the ARN of its certificate");
  if (name === undefined || certificateArn === undefined) {
    const useless = Object.entries({ certificateArn, hostedZone }).find(([, value]) => value !== undefined);
    if (useless) throw new SettingError(useless[0], "is only used together with a domain");
    return undefined;
  }
  return { name, certificateArn, ...(hostedZone !== undefined && { hostedZone }) };
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

/** Whether a text is scheme and host without a path, the form that browsers send in `Origin`. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
