import { isOwnable, type Owner } from "../domain/ownership.ts";
import { documentClient } from "../dynamodb/client.ts";
import { currentTime } from "../dynamodb/clock.ts";
import { type Guard, type Operation, operationOf, type Route } from "../http/route.ts";
import { AccountsRepository } from "../repositories/accounts/accounts.ts";
import { tableName, tableVariable } from "../settings.ts";
import { ADMIN_ROLE } from "../validators/account.ts";
import { admin, type BearerDependencies, bearer } from "./authorizers.ts";
import { secret } from "./secrets.ts";
import { Tokens } from "./tokens.ts";

/** Who may call a route; for `account` any valid token will do, and for an `owner` only own records exist. */
export const accessRules = ["anyone", "account", "owner", "admin"] as const;
export type AccessRule = (typeof accessRules)[number];

/** By area, whose routes have its name as their tag; areas that are open for anyone are left out. */
export type AccessRules = Readonly<Record<string, { readonly [O in Operation]?: AccessRule }>>;

export function ruleOf(route: Route, rules: AccessRules): AccessRule {
  const operation = operationOf(route);
  return (operation && rules[route.tag]?.[operation]) ?? "anyone";
}

/** Returns what enforces the access rules of a deployment, in addition to the routes' own authorizers. */
export function createGuards(rules: AccessRules): (route: Route) => Guard | undefined {
  let created: BearerDependencies | undefined;
  const dependencies = () => {
    created ??= {
      tokens: new Tokens({ secrets: secret("SIGNING_SECRETS"), now: currentTime }),
      accounts: new AccountsRepository(documentClient(), tableName("accounts")),
    };
    return created;
  };
  return (route) => {
    const rule = ruleOf(route, rules);
    if (rule === "anyone") return undefined;
    const { errors, authorize } = rule === "admin" ? admin : bearer;
    return {
      errors,
      authorize: async (headers) => {
        const { username, role } = await authorize(headers, dependencies());
        const owner = { username, seesAll: rule !== "owner" || role === ADMIN_ROLE };
        return {
          username,
          scope: (all) => (hasOwners(rules[route.tag]) ? scoped(all, owner, route, rules) : all),
        };
      },
    };
  };
}

/** Whether the records of an area belong to accounts. */
export function hasOwners(rules: AccessRules[string] | undefined): boolean {
  return Object.values(rules ?? {}).includes("owner");
}

/** Binds the repositories of the route's area to the owner, and those of areas whose records are private. */
function scoped<D>(dependencies: D, owner: Owner, route: Route, rules: AccessRules): D {
  const tables = Object.keys(rules)
    .filter((area) => area === route.tag || rules[area]?.get === "owner")
    .map((area) => process.env[tableVariable(area)]);
  const entries = Object.entries(dependencies as object).map(([name, each]) => {
    return [name, isOwnable(each) && tables.includes(each.table) ? each.ownedBy(owner) : each];
  });
  const result = Object.fromEntries(entries);
  // Otherwise the caller would see the records of all.
  if (Object.keys(result).every((name) => result[name] === (dependencies as typeof result)[name]))
    throw new Error(`${route.key} has no repository whose records can have owners`);
  return result as D;
}
