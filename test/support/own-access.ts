import { allRoutes } from "../../functions/definitions.ts";
import { exampleOf } from "../../functions/example-requests.ts";
import { ownRules, withAccess } from "../../infra/settings/access.ts";
import { ruleOf } from "../../lib/auth/access.ts";
import type { Route } from "../../lib/http/route.ts";

export const routes = withAccess(allRoutes, ownRules);

/** The scheme of the credential that a route gets from the tests; undefined for none. */
export function schemeOf(route: Route) {
  return ruleOf(route, ownRules) === "anyone" ? route.authorizer?.scheme : "bearer";
}

/** The statuses that a route's example request can get from who may send it: one, unless it is for no success. */
export function statusesOfExample({ key, responses, errors = {} }: Route): number[] {
  const { isIllustrative } = exampleOf(key, { unique: "", id: () => 1 });
  const [own = 0] = [responses, errors].flatMap(Object.keys).map(Number);
  const ofContent = [400, 404].filter((status) => status in errors);
  return isIllustrative && ofContent.length > 0 ? ofContent : [own];
}
