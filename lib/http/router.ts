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
  const byPattern = new Map<string, Map<string, Route<Dependencies>>>();
  for (const route of routes) {
    const byMethod = byPattern.get(route.pattern) ?? new Map<string, Route<Dependencies>>();
    if (byMethod.has(route.method)) throw new Error(`${route.key} is declared twice`);
    byPattern.set(route.pattern, byMethod.set(route.method, route));
  }
  const candidates = [...byPattern]
    .sort(([a], [b]) => precedence(a) - precedence(b))
    .map(([pattern, byMethod]) => ({ pattern, expression: expressionOf(pattern), byMethod }));
  const byLength = Map.groupBy(candidates, ({ pattern }) => pattern.split("/").length);

  return function findRoute(method, path) {
    const allowedMethods = new Set<Method>();
    const otherPath = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
    // Two trailing slashes are an empty segment.
    for (const variant of path.endsWith("//") ? [path] : [path, otherPath]) {
      const candidate = byLength
        .get(variant.split("/").length)
        ?.find(({ expression }) => expression.test(variant));
      const route = candidate?.byMethod.get(method);
      if (candidate && route) return { route, path: { ...candidate.expression.exec(variant)?.groups } };
      for (const other of candidate?.byMethod.values() ?? []) allowedMethods.add(other.method);
    }
    return { route: undefined, allowedMethods: [...allowedMethods].sort() };
  };
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
