import { definitions, routesByArea } from "../../functions/definitions.ts";
import {
  type AccessRule,
  type AccessRules,
  accessRules,
  createGuards,
  hasOwners,
  ruleOf,
} from "../../lib/auth/access.ts";
import { includesRole, type RoleName, roleNames, seesAll } from "../../lib/domain/roles.ts";
import { type Operation, operationOf, operations, type Route } from "../../lib/http/route.ts";
import { type Credential, credentialOf, ownerOfToken } from "../openapi/start.ts";

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

/** The target of a rule for all that no other rule names. */
const OTHERS = "others";
const SPECIFIED = "specified";
const areaNames = Object.keys(restrictable).join("|");
const parts = [...operations, "read", "write"].join("|");
const anyRule = accessRules.join("|");
/** A rule for others, for one area (`users:account`), or for some of its operations (`users.read:anyone`). */
export const accessEntry = new RegExp(
  `^((${OTHERS}:)?(${SPECIFIED}|${anyRule})|(${areaNames})(\\.(${parts}))?:(${anyRule}))$`,
);
export const accessExpectation = `must be ${SPECIFIED}, one of the rules ${accessRules.join(", ")}, or rules by area and operation, for example others:account,posts.read:anyone`;

type Targets = ReadonlyMap<string, AccessRule | typeof SPECIFIED>;

function parse(entry: string): [target: string, rule: AccessRule | typeof SPECIFIED] {
  const [rule, target = OTHERS] = entry.split(":").reverse();
  return [target, rule as AccessRule | typeof SPECIFIED];
}

const all = Object.entries(restrictable).flatMap(([area, found]) =>
  [...found].map((operation) => ({ area, operation, group: groups[operation] })),
);
type Each = (typeof all)[number];

/** The entry that decides about an operation: the most specific one. */
function decidingTarget({ area, operation, group }: Each, given: Targets): string | undefined {
  return [`${area}.${operation}`, `${area}.${group}`, area].find((target) => given.has(target));
}

function ownRule({ area, operation, group }: Each): AccessRule | undefined {
  const { access: own = {} } = definitions[area] ?? {};
  return typeof own === "object" ? (own[operation] ?? own[group]) : own;
}

/**
 * What no entry and no area decides is as specified without entries, else as they say of others, or for accounts.
 *
 * @param entries as in `-c access=…`
 */
export function resolveAccess(entries: readonly string[]): AccessRules {
  const given = new Map(entries.map(parse));
  const others = given.get(OTHERS) ?? (given.size > 0 ? "account" : SPECIFIED);
  const rules: Record<string, Record<string, AccessRule>> = {};
  for (const each of all) {
    const rule = given.get(decidingTarget(each, given) ?? "") ?? ownRule(each) ?? others;
    rules[each.area] = { ...rules[each.area], [each.operation]: rule === SPECIFIED ? "anyone" : rule };
  }
  return Object.fromEntries(
    Object.entries(rules).filter(([, ofArea]) => Object.values(ofArea).some((rule) => rule !== "anyone")),
  );
}

/** Why a stage refuses entries: the rest of a sentence that begins with the setting. */
export function accessProblem(entries: readonly string[], mustBeComplete: boolean): string | undefined {
  const targets = entries.map((entry) => parse(entry)[0]);
  const given = new Map(entries.map(parse));
  const twice =
    targets.find((target, index) => targets.indexOf(target) < index) ??
    all
      .filter(({ area, group }) => given.has(`${area}.${group}`))
      .map(({ area, operation }) => `${area}.${operation}`)
      .find((target) => given.has(target));
  if (twice !== undefined) return `must have one rule for ${twice}, not two`;
  const deciding = new Set([OTHERS, ...all.map((each) => decidingTarget(each, given))]);
  const idle = targets.find((target) => !deciding.has(target));
  if (idle !== undefined) return `must not have a rule for ${idle}, which decides about no operation`;
  if (mustBeComplete && entries.length > 0 && !given.has(OTHERS)) {
    const missing = all.filter((each) => decidingTarget(each, given) === undefined && !ownRule(each));
    if (missing.length > 0)
      return `must in prod have a rule for ${namesOf(missing).join(", ")}, or for all others, for example others:account`;
  }
  return Object.entries(resolveAccess(entries))
    .map(([area, rules]) => contradictionIn(area, rules))
    .find((problem) => problem !== undefined);
}

/** `todos` if none of its operations is decided about, else `posts.create`. */
function namesOf(missing: readonly Each[]): string[] {
  return [...Map.groupBy(missing, ({ area }) => area)].flatMap(([area, own]) =>
    own.length === restrictable[area]?.size ? area : own.map(({ operation }) => `${area}.${operation}`),
  );
}

/** How many records a rule shows to an account with a role, or to nobody: none, own ones or all. */
function reach(rule: AccessRule, role: RoleName | undefined): 0 | 1 | 2 {
  if (rule === "anyone") return 2;
  if (role === undefined) return 0;
  if (rule === "owner") return seesAll(role) ? 2 : 1;
  return rule === "account" || includesRole(role, rule) ? 2 : 0;
}

/** Who may list, change or delete records sees them, or learns that they exist. */
function contradictionIn(area: string, rules: AccessRules[string]): string | undefined {
  const { create = "anyone", list, get = list, delete: remove } = rules;
  const letsInMore = (rule: AccessRule, other: AccessRule = "anyone") =>
    [undefined, ...roleNames].some((role) => reach(rule, role) > reach(other, role));
  for (const operation of ["list", "update", "delete"] as const) {
    const rule = rules[operation];
    if (rule && letsInMore(rule, get))
      return `must not let in more to ${area}.${operation} (${rule}) than may read a record (${get})`;
  }
  if (!hasOwners(rules)) return undefined;
  if (get === undefined) return `must not be owner for ${area}, whose records no route shows`;
  if ([create, remove].includes("anyone"))
    return `must not be owner for ${area} unless creating and deleting need an account`;
  return undefined;
}

/** The rules of a deployment that sets none: those of the areas. */
export const ownRules = resolveAccess([]);

const notes = {
  ...Object.fromEntries(
    roleNames.map((role) => [role, `This deployment requires the token of ${ownerOfToken(role)}.`]),
  ),
  public: "Anyone may call it.",
  bearer: "This deployment requires the token of an account.",
  owner: "This deployment requires the token of an account, and shows it its own records only.",
  apiKey: "This deployment requires a key in `X-API-Key`.",
} as Readonly<Record<Credential | "owner", string>>;

/** The routes as a deployment with access rules documents them: each says who may call it. */
export function withAccess(routes: readonly Route[], rules: AccessRules): readonly Route[] {
  if (Object.keys(rules).length === 0) return routes;
  const guardOf = createGuards(rules);
  return routes.map((route) => {
    const guarded = { ...route, guard: guardOf(route) };
    const note = notes[ruleOf(route, rules) === "owner" ? "owner" : credentialOf(guarded)];
    return { ...guarded, description: `${route.description} ${note}` };
  });
}
