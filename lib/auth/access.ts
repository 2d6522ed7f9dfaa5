import { type Guard, type Operation, operationOf, type Route } from "../http/route.ts";
import { AccountsRepository } from "../repositories/accounts/accounts.ts";
import { documentClient } from "../repositories/dynamodb/client.ts";
import { currentTime } from "../repositories/dynamodb/clock.ts";
import { tableName } from "../settings.ts";
import { admin, type BearerDependencies, bearer } from "./authorizers.ts";
import { secret } from "./secrets.ts";
import { Tokens } from "./tokens.ts";

/** Who may call a route: `anyone`, whoever has a valid token, or administrators. */
export const accessRules = ["anyone", "account", "admin"] as const;
export type AccessRule = (typeof accessRules)[number];

/** By area, whose routes have its name as their tag; areas that are open for anyone are left out. */
export type AccessRules = Readonly<Record<string, Readonly<Record<Operation, AccessRule>>>>;

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
    return { errors, authorize: async (headers) => (await authorize(headers, dependencies())).username };
  };
}
