import type { Method, Route } from "./route.ts";

/** The route of a request with the values of its placeholders, or the methods that the path allows. */
export type RouteMatch<Dependencies> =
  | { readonly route: Route<Dependencies>; readonly path: Readonly<Record<string, string>> }
  | { readonly route: undefined; readonly allowedMethods: readonly Method[] };

interface PathPattern<Dependencies> {
  readonly segments: readonly string[];
  readonly routes: Map<string, Route<Dependencies>>;
}

/**
 * Creates a router: a function that finds the route for a method and a percent-decoded path.
 *
 * A static segment beats a placeholder. A trailing slash matters only if a route is declared with it
 * (docs/decisions.md). Placeholders do not match empty segments.
 *
 * @throws Error if two routes have the same key
 */
export function createRouter<Dependencies>(
  routes: readonly Route<Dependencies>[],
): (method: string, path: string) => RouteMatch<Dependencies> {
  const patterns = new Map<string, PathPattern<Dependencies>>();
  for (const route of routes) {
    const pattern = patterns.get(route.pattern) ?? { segments: route.pattern.split("/"), routes: new Map() };
    if (pattern.routes.has(route.method)) throw new Error(`${route.key} is declared twice`);
    patterns.set(route.pattern, pattern);
    pattern.routes.set(route.method, route);
  }
  const byPrecedence = [...patterns.values()].sort((a, b) => precedence(a) - precedence(b));

  return (method, path) => {
    const allowedMethods: Method[] = [];
    for (const variant of pathVariants(path)) {
      const segments = variant.split("/");
      const match = byPrecedence.find((pattern) => matches(pattern.segments, segments));
      const route = match?.routes.get(method);
      if (match && route) return { route, path: placeholderValues(match.segments, segments) };
      for (const other of match?.routes.values() ?? []) allowedMethods.push(other.method);
    }
    return { route: undefined, allowedMethods: [...new Set(allowedMethods)].sort() };
  };
}

/** The path as sent, then with its trailing slash removed or added. Two trailing slashes are an empty segment. */
function pathVariants(path: string): string[] {
  if (path.endsWith("//")) return [path];
  return [path, path.endsWith("/") ? path.slice(0, -1) : `${path}/`];
}

function isPlaceholder(segment: string): boolean {
  return segment.startsWith("{");
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (isPlaceholder(part) ? segments[i] !== "" : part === segments[i]))
  );
}

function placeholderValues(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [i, part] of pattern.entries())
    if (isPlaceholder(part)) values[part.slice(1, -1)] = segments[i] ?? "";
  return values;
}

/** Sorts static segments before placeholders, from the left, among patterns of the same length. */
function precedence({ segments }: Pick<PathPattern<never>, "segments">): number {
  return Number(segments.map((part) => (isPlaceholder(part) ? "1" : "0")).join(""));
}
