import { allRoutes } from "../../functions/definitions.ts";
import type { Route } from "../../lib/http/route.ts";

/** Keys that the service issues, by the creation that returns them. */
export type IssuedKeys = ReadonlyMap<string, string>;

/** @param create sends a creation that returns a key, which it is called for once */
export async function issueKeys(
  create: (key: string) => Promise<{ readonly text: string }>,
): Promise<IssuedKeys> {
  const keys = new Map<string, string>();
  for (const { authorizer } of allRoutes) {
    const { issuedBy } = authorizer ?? {};
    if (issuedBy && !keys.has(issuedBy.route))
      keys.set(issuedBy.route, JSON.parse((await create(issuedBy.route)).text)[issuedBy.field]);
  }
  return keys;
}

/** The key for a route that declares which creation issues it; undefined for one that takes a static key. */
export function issuedKeyOf({ authorizer }: Route, issued: IssuedKeys | undefined): string | undefined {
  const { route } = authorizer?.issuedBy ?? {};
  return route && issued?.get(route);
}
