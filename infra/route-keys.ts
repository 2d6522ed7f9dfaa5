import type { Method } from "../lib/http/route.ts";

/** A route key of the gateway, and the group whose function it leads to. */
export interface RouteKey<Group extends string> {
  readonly method: Method | "HEAD";
  /** As API Gateway writes it; it refuses one that ends in a slash. */
  readonly path: string;
  readonly group: Group | "fallback";
}

/** OPTIONS is not among them: the gateway answers preflights by itself. */
const methods: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Nothing is declared for HEAD: it is there to be told what a path does have, 405. */
const greedyMethods = [...methods, "HEAD"] as const;

type Declared = Readonly<{ method: Method; pattern: string }>;

/**
 * The route keys for all declared routes, and greedy ones that lead all the rest to `fallback`, or to the group
 * that answers for all below its prefix (docs/adr/0001).
 *
 * A path that ends in a slash needs the key of the path without it. Where another group declares that path,
 * the key leads there, and its function has to hold the operation with the slash as well.
 *
 * @param routesByGroup the declarations
 * @param groupsByPrefix the prefixes, without a trailing slash, and who answers for all below them
 * @throws Error when two groups declare the same operation
 */
export function routeKeys<Group extends string>(
  routesByGroup: Readonly<Record<Group, readonly Declared[]>>,
  groupsByPrefix: Readonly<Record<string, Group>>,
): RouteKey<Group>[] {
  const declared = (Object.entries(routesByGroup) as [Group, readonly Declared[]][]).flatMap(
    ([group, routes]) => routes.map(({ method, pattern }) => ({ method, path: pattern, group })),
  );
  refuseTwice(declared);
  const keys = new Map<string, RouteKey<Group>>();
  const add = (key: RouteKey<Group>) => {
    if (!keys.has(keyOf(key))) keys.set(keyOf(key), key);
  };
  for (const route of declared.filter(({ path }) => !endsInSlash(path))) add(route);
  for (const route of declared.filter(({ path }) => endsInSlash(path)))
    add({ ...route, path: route.path.slice(0, -1) });
  for (const path of new Set(declared.map((route) => route.path)))
    for (const method of methods)
      if (isShadowed(method, path, declared)) add({ method, path, group: "fallback" });
  for (const method of greedyMethods) {
    for (const [prefix, group] of Object.entries(groupsByPrefix)) {
      add({ method, path: prefix, group });
      add({ method, path: `${prefix}/{proxy+}`, group });
    }
    add({ method, path: "/", group: "fallback" });
    add({ method, path: "/{proxy+}", group: "fallback" });
  }
  return [...keys.values()];
}

/**
 * Tells whether the gateway would take a path for another group's placeholder: `DELETE /users/me` for
 * `DELETE /users/{id}`. That group's function does not know the path; the fallback knows all of them.
 */
function isShadowed(method: Method, path: string, declared: readonly RouteKey<string>[]): boolean {
  const knowing = new Set(declared.filter((route) => route.path === path).map(({ group }) => group));
  return (
    !endsInSlash(path) &&
    declared.some((route) => route.method === method && covers(route.path, path) && !knowing.has(route.group))
  );
}

function covers(pattern: string, path: string): boolean {
  const segments = path.split("/");
  const parts = pattern.split("/");
  return (
    parts.length === segments.length && parts.every((part, i) => part.startsWith("{") || part === segments[i])
  );
}

function refuseTwice(declared: readonly RouteKey<string>[]): void {
  const groups = new Map<string, string>();
  for (const route of declared) {
    const other = groups.get(keyOf(route));
    if (other !== undefined) throw new Error(`${keyOf(route)} is declared by ${other} and by ${route.group}`);
    groups.set(keyOf(route), route.group);
  }
}

function endsInSlash(path: string): boolean {
  return path.length > 1 && path.endsWith("/");
}

function keyOf({ method, path }: RouteKey<string>): string {
  return `${method} ${path}`;
}
