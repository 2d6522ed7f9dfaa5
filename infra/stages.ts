import type { RetentionDays } from "aws-cdk-lib/aws-logs";
import { isStageName, type SmokeMode, stackNameOf } from "../lib/construct-ids.ts";
import { parseSettings, SettingError, type StageSettings } from "./settings.ts";

/** The settings of a deployment. */
export interface Stage {
  /** `dev`, `prod`, or `dev-` and a name. */
  readonly name: string;
  /** The browser origins that CORS allows: `*`, or scheme and host each. */
  readonly corsOrigins: readonly string[];
  /** Whether pages of those origins may use all methods and headers of the API, beyond the specified ones. */
  readonly browserClients: boolean;
  /** The values of the areas' settings by name. */
  readonly areaSettings: Readonly<Record<string, string>>;
  /** In days. */
  readonly logRetention: RetentionDays;
  /** The gateway's limit for all routes together; the burst limit is twice as much. */
  readonly requestsPerSecond: number;
  /** The least that a route is limited to because of what it takes of a table. */
  readonly minRouteLimit: number;
  /** The AWS account's quota of concurrent executions; 0 reserves none for single functions. */
  readonly lambdaConcurrency: number;
  /** The read units per second that each table, and each of its global indexes, serves at most. */
  readonly maxReadUnits: number;
  /** The write units per second that each table, and each of its global indexes, serves at most. */
  readonly maxWriteUnits: number;
  /** The names of tables to use instead of the stack's own, such as restored ones, by area (docs/adr/0023). */
  readonly tables: ReadonlyMap<string, string>;
  /**
   * Tables, secrets and logs stay when the stack is deleted; tables have point-in-time recovery. Nobody can delete the
   * stack and its tables without switching off a protection first.
   */
  readonly keepData: boolean;
  /** The deployment's own name; undefined for the one that API Gateway gives it. */
  readonly domain?: CustomDomain | undefined;
  /** Of the roles that `cdk bootstrap` creates and deployments assume; undefined for CDK's. */
  readonly bootstrapQualifier?: string | undefined;
  /** Whether the gateway invokes all functions by an alias, which a rollout needs. */
  readonly hasAliases: boolean;
  /** Whether a new version of a function first gets a part of the requests, watched by an alarm. */
  readonly hasCanary: boolean;
  /** How many execution environments of a function are kept initialized, by its name. */
  readonly provisionedConcurrency: ReadonlyMap<string, number>;
  /** Whether the stack has alarms and a topic for them. */
  readonly alarms: boolean;
  /** Who gets the alarms by e-mail, and the alerts of the budget. */
  readonly alarmEmail?: string | undefined;
  readonly smokeTest: SmokeMode;
  /** In US dollars. */
  readonly monthlyBudget?: number | undefined;
  /** Whether the functions lose their permissions when the month's costs exceed the budget. */
  readonly stopAtBudget: boolean;
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

/**
 * Resolves a stage and its settings.
 *
 * @param name `dev`, `prod`, or `dev-` and a name (`-c stage=…`)
 * @throws SettingError when the name or a setting is invalid
 */
export function resolveStage(name: string, values: StageSettings): Stage {
  const kind = kindOf(name);
  const parsed = parseSettings(values, throughput[kind]);
  const { domain, certificateArn, hostedZone, origins, rollout, ...settings } = parsed;
  refuseOtherTables(name, settings.tables);
  const ownDomain = customDomain(domain, certificateArn, hostedZone);
  const { alarmEmail, monthlyBudget, stopAtBudget } = settings;
  if (monthlyBudget !== undefined && alarmEmail === undefined)
    throw new SettingError("alarmEmail", "is required for a budget: who gets its alerts");
  if (stopAtBudget && monthlyBudget === undefined)
    throw new SettingError("stopAtBudget", "is only used together with a monthlyBudget");
  if (kind === "dev" && alarmEmail !== undefined && monthlyBudget === undefined)
    throw new SettingError("alarmEmail", "is only used in prod, which has alarms, or for a monthlyBudget");
  if (kind === "dev" && rollout === "canary")
    throw new SettingError("rollout", "must be all-at-once in dev: its canaries would have no alarm");
  if (kind === "prod" && (origins === undefined || origins.includes("*")))
    throw new SettingError(
      "origins",
      "is required for prod: the browser origins to allow, for example https://www.example.com",
    );
  return {
    name,
    ...settings,
    ...fixed[kind],
    domain: ownDomain,
    hasCanary: kind === "prod" && rollout !== "all-at-once",
    corsOrigins: origins ?? ["*"],
    smokeTest: settings.smokeTest ?? (kind === "prod" ? "read-only" : "complete"),
  };
}

/**
 * Which stage's file and fixed values a stage has.
 *
 * @throws SettingError when no stage may have the name
 */
export function kindOf(name: string): "dev" | "prod" {
  if (!isStageName(name))
    throw new SettingError("stage", `must be dev, prod, or a name such as dev-alice, not "${name}"`);
  return name === "prod" ? "prod" : "dev";
}

/** What no setting changes. Tests send more to a dev stage than its tables would leave a route. */
const fixed = {
  dev: { hasAliases: false, logRetention: 7, minRouteLimit: 50, keepData: false, alarms: false },
  prod: { hasAliases: true, logRetention: 365, minRouteLimit: 1, keepData: true, alarms: true },
} as const;

/** By default. */
const throughput = {
  dev: { requestsPerSecond: 100, maxReadUnits: 4_000, maxWriteUnits: 1_000 },
  prod: { requestsPerSecond: 1_000, maxReadUnits: 10_000, maxWriteUnits: 5_000 },
} as const;

/** Operators may only use tables whose names begin like the stack's (docs/operations.md, "Permissions of an operator"). */
function refuseOtherTables(stage: string, tables: Stage["tables"]): void {
  const prefix = `${stackNameOf(stage)}-`;
  const other = [...tables.values()].find((table) => !table.startsWith(prefix));
  if (other !== undefined)
    throw new SettingError("tables", `must name tables that begin with ${prefix}, not "${other}"`);
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
