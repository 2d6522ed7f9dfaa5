import type { Method, Route } from "./route.ts";

/** What was found for a request: a route with its placeholders, or the methods that the path does have. */
export type RouteMatch<S> =
  | { readonly route: Route<S>; readonly path: Readonly<Record<string, string>> }
  | { readonly route: undefined; readonly allow: readonly Method[] };

interface Pattern<S> {
  readonly segments: readonly string[];
  readonly routes: Map<string, Route<S>>;
}

/**
 * Prepares the choice of a route by method and path.
 *
 * A static segment beats a placeholder. A path that ends in a slash is its own operation where a route is
 * declared so; everywhere else the trailing slash makes no difference (docs/decisions.md). Empty segments
 * match nothing.
 *
 * @param routes the declarations to choose from
 * @returns a function from method and percent-decoded path to what was found; `allow` is empty for an
 *   unknown path
 */
export function createRouter<S>(
  routes: readonly Route<S>[],
): (method: string, path: string) => RouteMatch<S> {
  const patterns = new Map<string, Pattern<S>>();
  for (const route of routes) {
    const known = patterns.get(route.pattern) ?? { segments: segmentsOf(route.pattern), routes: new Map() };
    if (known.routes.has(route.method)) {
      throw new Error(`${route.method} ${route.pattern} is declared twice`);
    }
    patterns.set(route.pattern, known);
    known.routes.set(route.method, route);
  }
  const ordered = [...patterns.values()].sort((a, b) => compare(rank(a), rank(b)));

  return (method, path) => {
    const allow = new Set<Method>();
    for (const segments of pathVariants(path)) {
      const match = ordered.find((pattern) => matches(pattern.segments, segments));
      const route = match?.routes.get(method);
      if (match && route) return { route, path: placeholders(match.segments, segments) };
      for (const { method: other } of match?.routes.values() ?? []) allow.add(other);
    }
    return { route: undefined, allow: [...allow].sort() };
  };
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

/** The path as it was sent, then with its trailing slash taken away or given; two of them are an empty segment. */
function pathVariants(path: string): string[][] {
  if (path === "/" || path.endsWith("//")) return [segmentsOf(path)];
  return [path, path.endsWith("/") ? path.slice(0, -1) : `${path}/`].map(segmentsOf);
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

function placeholders(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pattern.flatMap((part, i) => (isPlaceholder(part) ? [[part.slice(1, -1), segments[i] ?? ""]] : [])),
  );
}

/** Static segments sort before placeholders, from the left. */
function rank(pattern: { segments: readonly string[] }): string {
  return pattern.segments.map((part) => (isPlaceholder(part) ? "1" : "0")).join("");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
