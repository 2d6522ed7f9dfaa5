import type { Owner, OwnerOf } from "../domain/ownership.ts";
import { includesRole, type RoleName, roleNames, seesAll } from "../domain/roles.ts";
import { documentClient } from "../dynamodb/client.ts";
import { type Guard, type Operation, operationOf, type Route } from "../http/route.ts";
import { type BearerDependencies, bearer, withRole } from "./authorizers.ts";
import { bearerDependencies } from "./bearer-dependencies.ts";

/** Who may call a route; for `account` any valid token will do, and for an `owner` only own records exist. */
export type AccessRule = "anyone" | "account" | "owner" | RoleName;
export const accessRules: readonly AccessRule[] = ["anyone", "account", "owner", ...roleNames];

/** By area, whose routes have its name as their tag; areas that are open for anyone are left out. */
export type AccessRules = Readonly<Record<string, { readonly [O in Operation]?: AccessRule }>>;

export function ruleOf(route: Route, rules: AccessRules): AccessRule {
  const operation = operationOf(route);
  return (operation && rules[route.tag]?.[operation]) ?? "anyone";
}

export function mayCall(role: RoleName, route: Route, rules: AccessRules): boolean {
  const rule = ruleOf(route, rules);
  return rule === "anyone" || rule === "account" || rule === "owner" || includesRole(role, rule);
}

/** Returns what enforces the access rules of a deployment, in addition to the routes' own authorizers. */
export function createGuards(rules: AccessRules): (route: Route) => Guard | undefined {
  let created: BearerDependencies | undefined;
  const dependencies = () => {
    created ??= bearerDependencies(documentClient());
    return created;
  };
  return (route) => {
    const rule = ruleOf(route, rules);
    if (rule === "anyone") return undefined;
    const { authorize, ...declared } = rule === "account" || rule === "owner" ? bearer : withRole(rule);
    return {
      ...declared,
      authorize: async (headers) => {
        const { username, role } = await authorize(headers, dependencies());
        return {
          account: { username, role },
          hasOwners: Object.values(rules).some(hasOwners),
          forOwner: (create) => createForOwner(create, { username, seesAll: seesAll(role) }, route, rules),
        };
      },
    };
  };
}

/** Whether the records of an area belong to accounts. */
export function hasOwners(rules: AccessRules[string] | undefined): boolean {
  return Object.values(rules ?? {}).includes("owner");
}

/** @throws Error if the created dependencies do not ask for the owner of the route's area */
export function createForOwner<D>(
  create: (ownerOf: OwnerOf) => D,
  caller: Owner,
  route: Route,
  rules: AccessRules,
): D {
  let isLimited = !hasOwners(rules[route.tag]);
  const dependencies = create((area) => {
    isLimited ||= area === route.tag;
    const isOwn = area === route.tag && hasOwners(rules[area]);
    const rule = isOwn ? ruleOf(route, rules) : rules[area]?.get;
    return isOwn || rule === "owner" ? { ...caller, seesAll: caller.seesAll || rule !== "owner" } : undefined;
  });
  // Otherwise the caller would see the records of all.
  if (!isLimited) throw new Error(`The function of ${route.key} does not ask who owns ${route.tag}`);
  return dependencies;
}
