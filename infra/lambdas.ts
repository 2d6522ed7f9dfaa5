import {
  type AreaDefinition,
  type AreaSettings,
  defaultSize,
  type FunctionSize,
  type Grants,
  type JobDefinition,
} from "../functions/define-area.ts";
import { allRoutes, definitions, functionOf, routesOf, tablesWithIds } from "../functions/definitions.ts";
import { type AccessRules, hasOwners, ruleOf } from "../lib/auth/access.ts";
import { jobFunction } from "../lib/construct-ids.ts";
import type { Route } from "../lib/http/route.ts";
import { withoutTrailingSlash } from "./gateway/route-keys.ts";
import type { Stage } from "./settings/stages.ts";

export interface LambdaDefinition {
  /** Of jobs, which share one, with what it exports. */
  readonly bundle?: string;
  readonly exportName?: string;
  readonly uses: Grants;
  readonly size: FunctionSize;
  readonly secrets?: AreaDefinition["secrets"];
  environment?(stage: Stage): Readonly<Record<string, string>>;
}

const areas = Object.values(definitions);

/** Handles unknown paths, and operations whose path ends in a slash on some gateways (docs/adr/0001). */
const fallback: LambdaDefinition = {
  uses: merge(areas.map(({ fallbackUses = {} }) => fallbackUses)),
  // Hashes passwords where the gateway sends it `POST /users/`, and gets every request to an unknown path.
  size: { ...defaultSize, concurrencyShare: 0.05 },
  environment: environmentOf(
    Object.assign({}, ...areas.map(({ fallbackUses, settings }) => fallbackUses && settings)),
  ),
};

const repairActions = [
  "dynamodb:ConditionCheckItem",
  "dynamodb:GetItem",
  "dynamodb:UpdateItem",
  "dynamodb:Query",
] as const;

const repair: LambdaDefinition = {
  uses: merge([
    Object.fromEntries(tablesWithIds.map((name) => [name, repairActions])),
    ...areas.map(({ repairUses = {} }) => repairUses),
  ]),
  // Waits a minute, then reads the ids of one block at a time, for as long as Lambda allows.
  size: { memoryMegabytes: 256, timeoutSeconds: 900 },
  environment: () => ({ TABLES_WITH_IDS: tablesWithIds.join(",") }),
};

/** The Lambda functions of the stack by the name of their folder. */
export const lambdas: Readonly<Record<string, LambdaDefinition>> & { readonly repair: LambdaDefinition } = {
  ...Object.fromEntries(
    Object.entries(definitions).flatMap(([name, area]) =>
      functionOf(name) === name ? [[name, lambdaOf(name, area)]] : [],
    ),
  ),
  fallback,
  repair,
};

export type Job = JobDefinition & Readonly<{ area: string; name: string; lambda: LambdaDefinition }>;

/** By the name of their function. */
export const jobs: ReadonlyMap<string, Job> = new Map(
  Object.entries(definitions).flatMap(([area, definition]) =>
    Object.entries(definition.jobs ?? {}).map(([name, job]): [string, Job] => {
      const { uses, secrets = [], timeoutSeconds = 60 } = job;
      const settings = environmentOf(definition.settings ?? {});
      const lambda = {
        ...{ uses, secrets, size: { memoryMegabytes: 512, timeoutSeconds } },
        ...{ bundle: `${area}+jobs`, exportName: name },
        environment: (stage: Stage) => ({ ...settings(stage), JOB: `${area}/${name}` }),
      };
      return [jobFunction(area, name), { ...job, area, name, lambda }];
    }),
  ),
);

function lambdaOf(
  name: string,
  { size = defaultSize, secrets, settings = {} }: AreaDefinition,
): LambdaDefinition {
  const handled = Object.entries(definitions).filter(([area]) => functionOf(area) === name);
  const uses = merge(handled.map(([, each]) => each.uses ?? {}));
  return { uses, size, ...(secrets && { secrets }), environment: environmentOf(settings) };
}

function environmentOf(settings: AreaSettings): NonNullable<LambdaDefinition["environment"]> {
  const variables = Object.entries(settings).map(([name, { variable }]) => [variable, name] as const);
  return ({ areaSettings }) =>
    Object.fromEntries(variables.map(([variable, name]) => [variable, areaSettings[name] ?? ""]));
}

/** Whether a function handles a route that the access rules restrict, also for other areas (docs/adr/0001). */
export function hasGuards(name: string, rules: AccessRules): boolean {
  const own = routesOf(name);
  const keys = new Set(own.map(({ key }) => key));
  const isShared = ({ key, dependencies }: Route) =>
    dependencies && (name === "fallback" || keys.has(withoutTrailingSlash(key)));
  return [...own, ...allRoutes.filter(isShared)].some((route) => ruleOf(route, rules) !== "anyone");
}

/** A function that enforces access rules: it verifies tokens and reads their accounts. */
export function withGuards(
  name: string,
  definition: LambdaDefinition,
  rules: Stage["access"],
): LambdaDefinition {
  // An owner's records are read by their ids.
  const owned: Grants = hasOwners(rules[name]) ? { [name]: ["dynamodb:BatchGetItem"] } : {};
  return {
    ...definition,
    uses: merge([definition.uses, { accounts: ["dynamodb:GetItem"] }, owned]),
    secrets: [...new Set([...(definition.secrets ?? []), "SIGNING_SECRETS" as const])],
    environment: (stage) => ({ ...definition.environment?.(stage), ACCESS: JSON.stringify(rules) }),
  };
}

function merge(all: readonly Grants[]): Grants {
  const targets = new Set(all.flatMap((grants) => Object.keys(grants)));
  return Object.fromEntries(
    [...targets].map((target) => [
      target,
      [...new Set(all.flatMap((grants) => grants[target] ?? []))].sort(),
    ]),
  );
}

/** Lambda refuses a deployment that leaves less unreserved concurrency than this. */
const MIN_UNRESERVED = 100;

/** The concurrent executions that a function reserves, if the stage knows the account's quota. */
export function reservedConcurrency(name: string, { lambdaConcurrency }: Stage): number | undefined {
  const shares = Object.values(lambdas).map(({ size: { concurrencyShare = 0 } }) => concurrencyShare);
  const unreserved = lambdaConcurrency * (1 - shares.reduce((sum, share) => sum + share, 0));
  const reserved = Math.floor(lambdaConcurrency * (lambdas[name]?.size.concurrencyShare ?? 0));
  return reserved > 0 && unreserved >= MIN_UNRESERVED ? reserved : undefined;
}
