import type { Method, Route } from "./route.ts";

export type RouteMatch<Dependencies> =
  | { readonly route: Route<Dependencies>; readonly path: Readonly<Record<string, string>> }
  | { readonly route: undefined; readonly allowedMethods: readonly Method[] };

/**
 * Finds the route for a method and a percent-decoded path. A static segment beats a placeholder, which matches no
 * empty segment. A trailing slash matters only if declared. @throws Error if two routes have the same key
 * @example createRouter(routes)("GET", "/todos/7/"); // { route: …, path: { id: "7" } }
 */
export function createRouter<Dependencies>(
  routes: readonly Route<Dependencies>[],
): (method: string, path: string) => RouteMatch<Dependencies> {
  const candidates = [...Map.groupBy(routes, ({ pattern }) => pattern)]
    .sort(([a], [b]) => precedence(a) - precedence(b))
    .map(([pattern, same]) => ({ pattern, expression: expressionOf(pattern), byMethod: byMethodOf(same) }));
  const byLength = Map.groupBy(candidates, ({ pattern }) => pattern.split("/").length);

  return function findRoute(method, path) {
    const allowedMethods = new Set<Method>();
    for (const variant of variantsOf(path)) {
      const sameLength = byLength.get(variant.split("/").length) ?? [];
      const candidate = sameLength.find(({ expression }) => expression.test(variant));
      const route = candidate?.byMethod.get(method);
      if (candidate && route) return { route, path: { ...candidate.expression.exec(variant)?.groups } };
      for (const other of candidate?.byMethod.values() ?? []) allowedMethods.add(other.method);
    }
    return { route: undefined, allowedMethods: [...allowedMethods].sort() };
  };
}

/** With and without a trailing slash. Two of them are an empty segment. */
function variantsOf(path: string): readonly string[] {
  if (path.endsWith("//")) return [path];
  return [path, path.endsWith("/") ? path.slice(0, -1) : `${path}/`];
}

function byMethodOf<R extends Route<never>>(routes: readonly R[]): ReadonlyMap<string, R> {
  const byMethod = new Map<string, R>();
  for (const route of routes) {
    if (byMethod.has(route.method)) throw new Error(`${route.key} is declared twice`);
    byMethod.set(route.method, route);
  }
  return byMethod;
}

function expressionOf(pattern: string): RegExp {
  const escaped = pattern.replaceAll(".", "\\.");
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

/** Sorts static segments before placeholders, from the left, among patterns of the same length. */
function precedence(pattern: string): number {
  const segments = pattern.split("/").map((segment) => (segment.startsWith("{") ? "1" : "0"));
  return Number(segments.join(""));
}
