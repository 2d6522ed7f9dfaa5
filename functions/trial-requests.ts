import { type AccessRules, mayCall } from "../lib/auth/access.ts";
import { DEFAULT_ROLE } from "../lib/domain/roles.ts";
import type { Route } from "../lib/http/route.ts";
import { recordKey } from "../lib/records/id-blocks.ts";
import { definitions, routesByArea } from "./definitions.ts";
import { exampleOf, firstPage, prepare, referencesOf, toRequest } from "./example-requests.ts";

/** The id of the records that trials refer to. No counter reaches it, so no list has them. */
const TRIAL_ID = Number.MAX_SAFE_INTEGER;

/** What stands in a request for the id of the record that was created, and for letters that make it unique. */
export const placeholders = { id: String(TRIAL_ID - 1), unique: "uniquetrial" } as const;

export type TrialCycle = NonNullable<ReturnType<typeof cycleOf>>;
export type Trial = ReturnType<typeof trialOf>;

/** What the trial and the visitor send to which function, and how an account logs in. */
export function planOf(stackName: string, functionNames: readonly string[], rules: AccessRules) {
  const [login] = Object.entries(definitions).filter(([, { tokenRoute }]) => tokenRoute);
  const registration = routesByArea.accounts?.find(({ key }) => key === "POST /users/")?.key;
  return {
    prefix: `${stackName}-`,
    placeholders,
    ...(registration && login && { login: { area: login[0], target: login[1].tokenRoute, registration } }),
    areas: Object.fromEntries(functionNames.map((name) => [name, trialOf(name, rules)])),
  };
}

/** @returns with the records with `TRIAL_ID` to which the requests refer, as they are stored, by table */
export function trialOf(area: string, rules: AccessRules) {
  const creations = openRoutes(area, rules).filter(
    ({ method, key }) => method === "POST" && referencesOf(key).every((each) => recordsOf([each]).length > 0),
  );
  const cycles = creations.flatMap(({ key }) => cycleOf(area, key, rules) ?? []);
  const referred = cycles.length > 0 ? creations.flatMap(({ key }) => referencesOf(key)) : [];
  return { read: readOnly(area), cycles, records: Object.fromEntries(recordsOf(referred)) };
}

/** The tables and the records with `TRIAL_ID` that stand for those of some creations. */
function recordsOf(creations: readonly string[]) {
  return Object.entries(definitions).flatMap(([area, { trial }]) => {
    const isOfArea = routesByArea[area]?.some(({ key }) => creations.includes(key));
    return trial?.record && isOfArea ? [[area, { ...recordKey(TRIAL_ID), ...trial.record }] as const] : [];
  });
}

/** The cheapest creation, reading and deletion of a record that any account may write, if there is one. */
export function cheapestCycle(rules: AccessRules): TrialCycle | undefined {
  const unitsOf = (area: string, key: string) => {
    const limit = definitions[area]?.limits?.[key];
    return (limit && "write" in limit && limit.write) || Number.MAX_SAFE_INTEGER;
  };
  const [cheapest] = Object.keys(routesByArea)
    .flatMap((area) => openRoutes(area, rules).map(({ key }) => ({ area, key, units: unitsOf(area, key) })))
    .filter(({ area, key }) => cycleOf(area, key, rules)?.leaves === false && referencesOf(key).length === 0)
    .sort((a, b) => a.units - b.units);
  return cheapest && cycleOf(cheapest.area, cheapest.key, rules, /^(POST|GET|DELETE)/);
}

/** The routes that any account may call, and that can be called with their examples. */
function openRoutes(area: string, rules: AccessRules): readonly Route[] {
  const context = { id: () => TRIAL_ID, unique: "" };
  return (routesByArea[area] ?? []).filter(
    (route) =>
      !route.authorizer &&
      mayCall(DEFAULT_ROLE, route, rules) &&
      !exampleOf(route.key, context).isIllustrative,
  );
}

/** Requests that create, read, change and delete a record, in this order, or end it if none deletes it. */
function cycleOf(area: string, creation: string, rules: AccessRules, methods = /./) {
  const { end } = definitions[area]?.trial ?? {};
  const own = openRoutes(area, rules).filter(
    ({ key }) => key !== creation && referencesOf(key).at(-1) === creation,
  );
  const of = (...names: readonly string[]) =>
    own.filter(({ key, method }) => names.includes(method) && methods.test(key) && key !== end?.route);
  const [deletion] = of("DELETE");
  if (!deletion && !end) return undefined;
  const context = {
    id: (route: string) => (route === creation ? Number(placeholders.id) : TRIAL_ID),
    unique: placeholders.unique,
  };
  const requestOf = (key: string) => {
    const { method, target, body } = prepare(key, context);
    return { target: `${method} ${target}`, ...(body !== undefined && { body }) };
  };
  const last = deletion
    ? requestOf(deletion.key)
    : end && {
        target: `PATCH ${toRequest(end.route, { ...exampleOf(end.route, context), query: end.query }).target}`,
      };
  const keys = [creation, ...[...of("GET"), ...of("PUT", "PATCH")].map(({ key }) => key)];
  return { requests: [...keys.map(requestOf), ...(last ? [last] : [])], leaves: !deletion };
}

/** The first page of a list, the area's first request if it reads, or else one that the function refuses. */
function readOnly(area: string): string {
  const { [area]: routes = [] } = routesByArea;
  const { firstRequest = "" } = definitions[area] ?? {};
  if (/^GET [^{]+$/.test(firstRequest)) return firstRequest;
  const list = routes.find((route) => firstPage(route, 1) !== undefined);
  if (list) return `GET ${toRequest(list.key, { query: firstPage(list, 1) ?? {} }).target}`;
  const route = routes.find(({ method }) => method === "GET") ?? routes[0];
  return route?.key ?? "GET /no-such-path";
}
