import * as z from "zod";
import { areaSettings } from "../../functions/area-settings.ts";
import type { AreaAccess } from "../../functions/define-area.ts";
import { tableNames } from "../../functions/definitions.ts";
import type { AccessRule } from "../../lib/auth/access.ts";
import type { Issuer } from "../../lib/auth/identity-provider.ts";
import { secretConstructIds, stackNameOf } from "../../lib/construct-ids.ts";
import { EMAIL_PATTERN } from "../../lib/validators/account.ts";
import { accessEntry, accessExpectation } from "./access.ts";
import { objectiveAreas } from "./objectives.ts";

const tablesExpectation = `must be areas with a table each, for example users:${stackNameOf("prod")}-users-restored`;

const issuerExpectation =
  "must have a url and an audience, for example url:https://login.example.com,audience:https://api.example.com, and may have name, role, algorithms and login:closed";
/** A provider on the same machine needs no certificate. All algorithms have public keys. */
const issuerParts: Readonly<Record<string, RegExp>> = {
  url: /^(https:\/\/[\w.-]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\]))(:\d+)?(\/[\w./~-]*)?$/,
  audience: /^\S+$/,
  name: /^\S+$/,
  role: /^\S+$/,
  algorithms: /^(([RPE]S(256|384|512)|EdDSA)( (?!$)|$))+$/,
  login: /^closed$/,
};

const backupsExpectation =
  "must be how many days a backup is kept, and where copies go, for example days:35,copyTo:arn:aws:backup:eu-central-1:123456789012:backup-vault:copies";

const proxyExpectation =
  "must be the SHA-256 hash of the proxy's secret, in hexadecimal, and the header that it sets to the client's address, for example secret:…,address:true-client-ip";

/** Those that CloudWatch knows. */
const retentions: readonly number[] = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731],
  ...[1_096, 1_827, 2_192, 2_557, 2_922, 3_288, 3_653],
];
const retentionExpectation = `must be a number of days out of ${retentions.join(", ")}`;

/** The settings that `-c name=value` changes, which docs/settings.md explains. */
const settings = z.object({
  access: commaSeparated((entry) => accessEntry.test(entry), accessExpectation).optional(),
  issuer: pairs(/^\w+:./, issuerExpectation)
    .refine((entries) => entries.every(([name, text]) => issuerParts[name]?.test(text)), issuerExpectation)
    .transform((entries) => {
      const { algorithms = "RS256 ES256", ...others } = Object.fromEntries(entries);
      return { ...others, algorithms: algorithms.split(" ") } as unknown as Issuer;
    })
    .refine(({ url, audience }) => url && audience, issuerExpectation)
    .optional(),
  origins: commaSeparated(
    (text) => text === "*" || isOrigin(text),
    "must be browser origins, comma-separated, for example https://www.example.com",
  ).optional(),
  browserClients: flag(),
  lambdaConcurrency: matching(
    /^\d{1,6}$/,
    "must be the account's quota of concurrent executions, for example 1000",
  )
    .transform(Number)
    .default(0),
  domain: matching(
    /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*[a-z\d]$/,
    "must be a domain name, for example api.example.com",
  ).optional(),
  address: matching(
    /^https?:\/\/[^\s/?#@]+(\/[^\s/?#]+)*$/,
    "must be the URL at which clients reach the API, without a slash at its end, for example https://www.example.com/api",
  ).optional(),
  // The gateway adds to the headers that are excluded.
  trustedProxy: pairs(/^(secret:[\da-f]{64}|address:(?!x-forwarded-|forwarded$)[a-z\d-]+)$/, proxyExpectation)
    .transform((entries) => Map.groupBy(entries, ([name]) => name))
    .refine((parts) => parts.has("secret") && parts.get("address")?.length === 1, proxyExpectation)
    .optional(),
  certificateArn: matching(
    /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/,
    "must be the ARN of the domain's certificate in Certificate Manager",
  ).optional(),
  hostedZone: matching(
    /^Z[A-Z\d]+$/,
    "must be the id of a hosted zone in Route 53, for example Z0123456789ABCDEFGHIJ",
  ).optional(),
  bootstrapQualifier: matching(
    /^[a-z\d]{1,10}$/,
    "must be up to 10 lower-case letters and digits, as in cdk bootstrap --qualifier",
  ).optional(),
  rollout: z.enum(["canary", "all-at-once"], "must be canary or all-at-once").optional(),
  provisionedConcurrency: pairs(
    /^[a-z-]+:[1-9]\d{0,3}$/,
    "must be functions and numbers of execution environments, for example users:2,accounts:1",
  )
    .transform((entries) => new Map(entries.map(([name, count]) => [name, Number(count)])))
    .default(new Map()),
  tables: pairs(new RegExp(`^(${tableNames.join("|")}):[\\w.-]{3,255}$`), tablesExpectation)
    // Two areas in one table would overwrite each other's records.
    .refine((entries) => new Set(entries.flat()).size === 2 * entries.length, tablesExpectation)
    .transform((entries) => new Map(entries))
    .default(new Map()),
  streams: pairs(
    new RegExp(`^(${tableNames.join("|")}):\\d{4}-[\\dT:.-]{6,32}$`),
    "must be areas with the label of a stream each, for example users:2026-11-26T09:30:00.123",
  )
    .transform((entries) => new Map(entries))
    .default(new Map()),
  secrets: pairs(
    new RegExp(
      `^(${Object.values(secretConstructIds).join("|")}):arn:aws[\\w-]*:secretsmanager:[\\w:/+=.@-]+$`,
    ),
    "must be secrets with an ARN each, for example SigningSecrets:arn:aws:secretsmanager:…",
  )
    .transform((entries) => new Map(entries))
    .default(new Map()),
  replicaRegion: matching(
    /^[a-z]{2}(-[a-z]+)+-\d$/,
    "must be an AWS region, for example eu-central-1",
  ).optional(),
  backups: pairs(/^(days:[1-9]\d{0,3}|copyTo:arn:aws[\w-]*:backup:\S+)$/, backupsExpectation)
    .transform((entries): { days?: string; copyTo?: string } => Object.fromEntries(entries))
    .refine(({ days }) => days, backupsExpectation)
    .optional(),
  tracing: flag(),
  requestsPerSecond: positiveNumber(5, "must be a number of requests per second, for example 50"),
  maxReadUnits: positiveNumber(7, "must be a number of read units per second, for example 5000"),
  maxWriteUnits: positiveNumber(7, "must be a number of write units per second, for example 5000"),
  logRetention: positiveNumber(4, retentionExpectation).refine(
    (days) => retentions.includes(days),
    retentionExpectation,
  ),
  anonymousLogs: flag(),
  monthlyBudget: positiveNumber(9, "must be a whole number of US dollars, for example 50").optional(),
  stopAtBudget: flag(),
  availability: perArea("\\d\\d(?:\\.\\d{1,3})?", "percentages from 10 to 99.999, for example users:99.95"),
  latency: perArea("[1-9]\\d{1,4}", "milliseconds, for example users:2000,accounts:1500"),
  visitor: flag(),
  alarms: flag(),
  dashboard: flag(),
  runbooks: matching(
    /^https:\/\/\S+$/,
    "must be the address of the page, such as https://github.com/example/api/blob/main/docs/operations.md",
  ).optional(),
  alarmEmail: z
    .literal("none")
    .or(matching(EMAIL_PATTERN, "must be an e-mail address, for example ops@example.com, or none"))
    .optional(),
});

/** One rule for all areas, or rules of single ones and `others`; `specified` is open unless an area says otherwise. */
type AccessSetting = AccessRule | "specified" | { readonly [area: string]: AreaAccess | "specified" };

type SettingValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;

/** The settings by name, those of the areas included, as in `infra/stages/`, or as texts. */
export type StageSettings = {
  readonly [S in keyof typeof settings.shape]?:
    | (S extends "access" ? AccessSetting | string : SettingValue)
    | undefined;
} & Readonly<Record<string, SettingValue | undefined>>;

export const settingNames: readonly string[] = [...settings.keyof().options, ...Object.keys(areaSettings)];

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

/** Absent settings get their defaults, of which some differ between the stages. @throws SettingError */
export function parseSettings(values: StageSettings, defaults: StageSettings) {
  const given = [defaults, values].flatMap((each) => Object.entries(each));
  const texts = Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]])),
  );
  const { success, data, error } = settings.safeParse(texts);
  if (!success) {
    const [issue] = error.issues;
    const setting = String(issue?.path[0]);
    throw new SettingError(setting, `${issue?.message}, not "${texts[setting]}"`);
  }
  const ofAreas = Object.entries(areaSettings).map(([name, setting]): [string, string] => {
    const text = texts[name] ?? setting.default;
    const value = setting.parse(text);
    if (value === undefined) throw new SettingError(name, `${setting.expectation}, not "${text}"`);
    return [name, value];
  });
  return { ...data, areaSettings: Object.fromEntries(ofAreas) };
}

/** The form of a value in `-c name=value`: `a,b`, `todos:2,orders:1`, or `posts.read:anyone`. */
export function textOf(value: SettingValue): string {
  if (typeof value !== "object") return value.toString();
  return Array.isArray(value)
    ? value.join()
    : Object.entries(value)
        .flatMap(([name, each]) =>
          typeof each === "object"
            ? Object.entries(each).map(([part, rule]) => `${name}.${part}:${rule}`)
            : `${name}:${each}`,
        )
        .join();
}

function flag() {
  const error = "must be true, false, 1 or 0";
  return z
    .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"], case: "sensitive", error })
    .default(false);
}

function commaSeparated(isValid: (entry: string) => boolean, expectation: string) {
  return z
    .string()
    .transform((text) => text.split(",").filter((entry) => entry !== ""))
    .refine((entries) => entries.length > 0 && entries.every(isValid), expectation);
}

function pairs(pattern: RegExp, expectation: string) {
  return commaSeparated((entry) => pattern.test(entry), expectation).transform((entries) =>
    entries.map((entry) => entry.split(/:(.*)/, 2) as [string, string]),
  );
}

function perArea(number: string, expectation: string) {
  const pattern = new RegExp(`^(?:${objectiveAreas.join("|")}):${number}$`);
  return pairs(pattern, `must be areas out of ${objectiveAreas.join(", ")} with ${expectation}`)
    .transform((entries) => new Map(entries.map(([name, value]) => [name, Number(value)])))
    .default(new Map());
}

function matching(pattern: RegExp, expectation: string) {
  return z.string().regex(pattern, expectation);
}

function positiveNumber(digits: number, expectation: string) {
  return matching(new RegExp(`^[1-9]\\d{0,${digits - 1}}$`), expectation).transform(Number);
}

/** API Gateway takes `https://*` for every page, and refuses `https://*.example.com`. */
function isOrigin(text: string): boolean {
  return /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
