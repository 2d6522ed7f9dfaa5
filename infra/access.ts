import { definitions, routesByArea } from "../functions/definitions.ts";
import { type AccessRule, type AccessRules, accessRules, createGuards, ruleOf } from "../lib/auth/access.ts";
import { type Operation, operationOf, operations, type Route } from "../lib/http/route.ts";

const groups: Readonly<Record<Operation, "read" | "write">> = {
  get: "read",
  list: "read",
  create: "write",
  update: "write",
  delete: "write",
};

const restrictable: Readonly<Record<string, ReadonlySet<Operation>>> = Object.fromEntries(
  Object.entries(routesByArea)
    .map(([area, routes]) => {
      const restricted = routes.filter((route) => operationOf(route) !== undefined);
      const other = restricted.find(({ tag }) => tag !== area);
      if (other) throw new Error(`${other.key} must have the tag ${area}, by which its access rule is found`);
      return [area, new Set(restricted.map((route) => operationOf(route) as Operation))] as const;
    })
    .filter(([, found]) => found.size > 0),
);

const ALL = "all areas";
const SPECIFIED = "specified";
const areaNames = Object.keys(restrictable).join("|");
const parts = [...operations, "read", "write"].join("|");
/** A rule for all areas, for one (`users:account`), or for some of its operations (`users.read:anyone`). */
export const accessEntry = new RegExp(
  `^(${SPECIFIED}|((${areaNames})(\\.(${parts}))?:)?(${accessRules.join("|")}))$`,
);
export const accessExpectation = `must be ${SPECIFIED}, one of the rules ${accessRules.join(", ")}, or rules by area and operation, for example users:account,accounts.write:owner`;

/** @param entries as in `-c access=…` */
export function resolveAccess(entries: readonly string[]): AccessRules {
  const given = new Map(
    entries.map((entry) => {
      const [rule, target = ALL] = entry.split(":").reverse();
      return [target, rule as AccessRule | typeof SPECIFIED];
    }),
  );
  const resolved = Object.entries(restrictable).map(([area, found]) => {
    const { access: own = {} } = definitions[area] ?? {};
    const rules = [...found].map((operation): [Operation, AccessRule] => {
      const group = groups[operation];
      const ofArea = given.get(`${area}.${operation}`) ?? given.get(`${area}.${group}`) ?? given.get(area);
      const byDefault = typeof own === "object" ? (own[operation] ?? own[group]) : own;
      const rule = ofArea ?? byDefault ?? given.get(ALL) ?? SPECIFIED;
      return [operation, rule === SPECIFIED ? "anyone" : rule];
    });
    return [area, Object.fromEntries(rules)] as const;
  });
  return Object.fromEntries(
    resolved.filter(([, rules]) => Object.values(rules).some((rule) => rule !== "anyone")),
  ) as AccessRules;
}

/** The rules of a deployment that sets none: those of the areas. */
export const ownRules = resolveAccess([]);

const notes: Readonly<Record<Exclude<AccessRule, "anyone">, string>> = {
  account: "This deployment requires the token of an account.",
  owner: "This deployment requires the token of an account, and shows it its own records only.",
  admin: "This deployment requires the token of an administrator.",
};

/** The routes as a deployment with access rules documents them. */
export function withAccess(routes: readonly Route[], rules: AccessRules): readonly Route[] {
  const guardOf = createGuards(rules);
  return routes.map((route) => {
    const rule = ruleOf(route, rules);
    if (rule === "anyone") return route;
    return { ...route, guard: guardOf(route), description: `${route.description} ${notes[rule]}` };
  });
}

/** Whether a function handles a route that the access rules restrict. */
export function hasGuards(name: string, rules: AccessRules): boolean {
  const routes =
    name === "fallback"
      ? Object.values(routesByArea)
          .flat()
          .filter(({ dependencies }) => dependencies)
      : (routesByArea[name] ?? []);
  return routes.some((route) => ruleOf(route, rules) !== "anyone");
}
