import { definitions, tableNames } from "../../functions/definitions.ts";
import { isStageName, stackNameOf } from "../../lib/construct-ids.ts";
import { accessProblem, resolveAccess } from "./access.ts";
import { parseSettings, SettingError, type StageSettings } from "./settings.ts";

export type Stage = ReturnType<typeof resolveStage>;

/** @throws SettingError when the name or a setting is invalid */
export function resolveStage(name: string, values: StageSettings) {
  const kind = kindOf(name);
  const parsed = parseSettings(values, defaults[kind]);
  const { domain, certificateArn, hostedZone, origins, rollout, alarmEmail, access, ...settings } = parsed;
  refuseOtherTables(name, settings.tables);
  refuseContradictions(kind, parsed);
  if (parsed.trustedProxy && !parsed.address)
    throw new SettingError("address", "is required for a trustedProxy: the URL at which clients reach it");
  const problem = accessProblem(access ?? [], kind === "prod");
  if (problem !== undefined) throw new SettingError("access", problem);
  return {
    name,
    ...settings,
    ...fixed[kind],
    domain:
      domain && certificateArn
        ? { name: domain, certificateArn, ...(hostedZone && { hostedZone }) }
        : undefined,
    alarmEmail: alarmEmail === "none" ? undefined : alarmEmail,
    hasCanary: kind === "prod" && rollout !== "all-at-once",
    access: resolveAccess(access ?? []),
    corsOrigins: origins ?? ["*"],
  };
}

/** Whether a stage has the routes of an area: a closed login has none (docs/adr/0038). */
export function isServed(area: string, { issuer }: Pick<Stage, "issuer">): boolean {
  return !(issuer?.login && definitions[area]?.tokenRoute);
}

/** The URL at which clients reach the API; undefined if only its gateway knows. */
export function publicAddressOf({ address, domain }: Pick<Stage, "address" | "domain">): string | undefined {
  return address ?? (domain && `https://${domain.name}`);
}

/** @throws SettingError when no stage may have the name */
export function kindOf(name: string): "dev" | "prod" {
  if (!isStageName(name))
    throw new SettingError("stage", `must be dev, prod, or a name such as dev-alice, not "${name}"`);
  if (beginsLikeTable(name.slice("dev-".length)))
    throw new SettingError("stage", `must not be "${name}": tables of dev may be called so`);
  return name === "prod" ? "prod" : "dev";
}

/**
 * What no setting changes. With `keepData`, tables, secrets and logs stay when the stack is deleted, tables
 * have point-in-time recovery, and nobody can delete the stack and its tables without switching off a
 * protection first. `minRouteLimit` is the least that a route is limited to because of what it takes of a
 * table: tests send more to a dev stage than its tables would leave a route. A rollout needs the aliases.
 */
const fixed = {
  dev: { hasAliases: false, minRouteLimit: 50, keepData: false },
  prod: { hasAliases: true, minRouteLimit: 1, keepData: true },
} as const;

const defaults = {
  dev: {
    ...{ requestsPerSecond: 100, maxReadUnits: 4_000, maxWriteUnits: 1_000 },
    ...{ dashboard: true, logRetention: 7 },
  },
  prod: {
    ...{ requestsPerSecond: 1_000, maxReadUnits: 10_000, maxWriteUnits: 5_000 },
    ...{ alarms: true, dashboard: true, visitor: true, logRetention: 365 },
  },
} as const;

/** @throws SettingError for the first setting that needs another one, or does not fit the stage */
function refuseContradictions(
  kind: "dev" | "prod",
  {
    alarms,
    alarmEmail,
    runbooks,
    monthlyBudget,
    stopAtBudget,
    rollout,
    access,
    origins = ["*"],
    domain,
    certificateArn,
    hostedZone,
  }: ReturnType<typeof parseSettings>,
): void {
  const isDev = kind === "dev";
  const hasAddress = (alarmEmail ?? "none") !== "none";
  const contradictions: readonly [conditions: readonly unknown[], setting: string, expectation: string][] = [
    [[monthlyBudget, !hasAddress], "alarmEmail", "is required for a budget: who gets its alerts"],
    [[stopAtBudget, !monthlyBudget], "stopAtBudget", "is only used together with a monthlyBudget"],
    [[hasAddress, !alarms, !monthlyBudget], "alarmEmail", "is only used with alarms or a monthlyBudget"],
    [[hasAddress, alarms, !runbooks], "runbooks", "is required for alarms by mail: where they link to"],
    [[domain, !certificateArn], "certificateArn", "is required for a domain: the ARN of its certificate"],
    [[certificateArn, !domain], "certificateArn", "is only used together with a domain"],
    [[hostedZone, !domain], "hostedZone", "is only used together with a domain"],
    [[isDev, rollout === "canary"], "rollout", "must be all-at-once in dev, whose canaries have no alarm"],
    [[!isDev, origins.includes("*")], "origins", "is required for prod: for example https://www.example.com"],
    [
      [!isDev, !alarmEmail],
      "alarmEmail",
      "is required for prod: who gets the alarms, for example ops@example.com, or none if nobody does",
    ],
    [
      [!isDev, !access],
      "access",
      "is required for prod: who may call what, for example owner, or specified, which lets anyone change most records",
    ],
  ];
  for (const [conditions, setting, expectation] of contradictions)
    if (conditions.every(Boolean)) throw new SettingError(setting, expectation);
}

/** Operators may only use tables whose names begin like the stack's (docs/operations.md). */
function refuseOtherTables(stage: string, tables: ReadonlyMap<string, string>): void {
  const prefix = `${stackNameOf(stage)}-`;
  const other = [...tables.values()].find((table) => !table.startsWith(prefix));
  if (other !== undefined)
    throw new SettingError("tables", `must name tables that begin with ${prefix}, not "${other}"`);
  if (stage !== "dev") return;
  for (const table of tables.values()) {
    const [first = "", ...rest] = table.slice(prefix.length).split("-");
    if (rest.length > 0 && isStageName(`dev-${first}`) && !beginsLikeTable(first))
      throw new SettingError(
        "tables",
        `must not name a table of the stage dev-${first}, as "${table}" may be; begin with ${prefix} and the area`,
      );
  }
}

/** A table `<service>-dev-users-restored` belongs to dev, so there must be no stage dev-users. */
function beginsLikeTable(word: string): boolean {
  return tableNames.some((name) => name.split("-")[0] === word);
}
