import { allRoutes } from "../../functions/definitions.ts";
import { ownRules, withAccess } from "../../infra/settings/access.ts";
import { ruleOf } from "../../lib/auth/access.ts";
import type { Route } from "../../lib/http/route.ts";

/** All routes, with the access rules that areas have of their own. */
export const routes = withAccess(allRoutes, ownRules);

/** The scheme of the credential that a route gets from the tests; undefined for none. */
export function schemeOf(route: Route) {
  return ruleOf(route, ownRules) === "anyone" ? route.authorizer?.scheme : "bearer";
}
