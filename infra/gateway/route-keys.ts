import type { Method } from "../../lib/http/route.ts";

/** A route key of the gateway, and the function that handles it: an area's, or `fallback`. */
interface RouteKey {
  readonly method: Method | "HEAD" | "OPTIONS";
  /** In API Gateway's notation, without a trailing slash, which it refuses. */
  readonly path: string;
  readonly group: string;
}

const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** No group declares OPTIONS: the fallback knows the methods of all paths. */
const options: readonly RouteKey[] = ["/", "/{proxy+}"].map((path) => ({
  method: "OPTIONS",
  path,
  group: "fallback",
}));

type DeclaredRoute = Readonly<{ method: Method; pattern: string; prefix?: string }>;

/**
 * The route keys of all declared routes, and greedy ones that send all other requests to `fallback` or to the group
 * of their path prefix (docs/adr/0001). Each key of GET has a twin for HEAD.
 *
 * A path with a trailing slash uses the key of the path without it. If another group declares that path, the key
 * belongs to that group, whose function has to handle both.
 *
 * @throws Error when two groups declare the same operation
 */
export function routeKeys(routesByGroup: Readonly<Record<string, readonly DeclaredRoute[]>>): RouteKey[] {
  const declared = Object.entries(routesByGroup).flatMap(([group, routes]) =>
    routes.map(({ method, pattern, prefix }) => ({ method, path: pattern, group, prefix })),
  );
  refuseDuplicates(declared);
  const keys = new Map<string, RouteKey>();
  const add = (key: RouteKey) => {
    if (!keys.has(keyOf(key))) keys.set(keyOf(key), key);
  };
  for (const route of declared.filter(({ path }) => !endsInSlash(path))) add(route);
  for (const route of declared.filter(({ path }) => endsInSlash(path)))
    add({ ...route, path: withoutTrailingSlash(route.path) });
  for (const path of new Set(declared.map((route) => route.path)))
    for (const method of methods)
      if (isShadowed(method, path, declared)) add({ method, path, group: "fallback" });
  for (const method of methods) {
    for (const { prefix, group } of [...declared, { prefix: "", group: "fallback" }]) {
      if (prefix === undefined) continue;
      add({ method, path: prefix || "/", group });
      add({ method, path: `${prefix}/{proxy+}`, group });
    }
  }
  const heads = [...keys.values()].filter(({ method }) => method === "GET");
  return [...keys.values(), ...heads.map((key) => ({ ...key, method: "HEAD" as const })), ...options];
}

/**
 * Whether the gateway would match a path with another group's placeholder, such as `DELETE /users/me` with
 * `DELETE /users/{id}`. That group's function does not know the path, but the fallback knows all paths.
 */
function isShadowed(method: Method, path: string, declared: readonly RouteKey[]): boolean {
  const owners = new Set(declared.filter((route) => route.path === path).map(({ group }) => group));
  return (
    !endsInSlash(path) &&
    declared.some((route) => route.method === method && covers(route.path, path) && !owners.has(route.group))
  );
}

function covers(pattern: string, path: string): boolean {
  const segments = path.split("/");
  const parts = pattern.split("/");
  return (
    parts.length === segments.length && parts.every((part, i) => part.startsWith("{") || part === segments[i])
  );
}

function refuseDuplicates(declared: readonly RouteKey[]): void {
  for (const [key, [first, second]] of Map.groupBy(declared, keyOf))
    if (second) throw new Error(`${key} is declared by ${first?.group} and by ${second.group}`);
}

/** A path, or a route's key, as API Gateway's route keys have it. */
export function withoutTrailingSlash(path: string): string {
  return path.replace(/(?<=\w)\/$/, "");
}

function endsInSlash(path: string): boolean {
  return path.length > 1 && path.endsWith("/");
}

function keyOf({ method, path }: RouteKey): string {
  return `${method} ${path}`;
}
