/**
 * How the gateway treats a trailing slash, which API Gateway does not document: `lenient` matches `/users/` with the
 * route `/users`, `strict` only with a greedy route.
 */
export type SlashMode = "lenient" | "strict";

interface Routable {
  /** For example `GET /users/{id}` or `$default`. */
  readonly routeKey: string;
}

export interface RouteMatch<Route> {
  readonly route: Route;
  /** Absent for a route without parameters. */
  readonly pathParameters?: Readonly<Record<string, string>>;
}

export type Router<Route> = (method: string, path: string) => RouteMatch<Route> | undefined;

interface Candidate<Route> {
  readonly route: Route;
  readonly method: string;
  readonly segments: readonly Segment[];
  readonly isGreedy: boolean;
}

interface Segment {
  readonly kind: "literal" | "parameter" | "greedy";
  /** The literal or the parameter's name. */
  readonly text: string;
}

/**
 * Creates a router that chooses routes as API Gateway does ("Routing API requests" in the HTTP API developer guide).
 *
 * Order of preference: paths without a greedy parameter, then greedy ones, then `$default`. Among these the leftmost
 * segment that differs decides: literal, parameter, greedy parameter. For the same path an exact method precedes `ANY`.
 *
 * @returns a function from method and percent-decoded path to the match
 * @throws {Error} for a route key that API Gateway refuses
 */
export function createRouter<Route extends Routable>(
  routes: readonly Route[],
  slashes: SlashMode,
): Router<Route> {
  const fallback = routes.find((route) => route.routeKey === "$default");
  const candidates = routes
    .filter((route) => route !== fallback)
    .map((route) => toCandidate(route))
    .sort(byPreference);

  return (method, path) => {
    const segments = splitPath(path, slashes);
    for (const candidate of candidates) {
      if (candidate.method !== method && candidate.method !== "ANY") continue;
      const pathParameters = matchSegments(candidate, segments);
      if (pathParameters === undefined) continue;
      const { route } = candidate;
      return Object.keys(pathParameters).length === 0 ? { route } : { route, pathParameters };
    }
    return fallback === undefined ? undefined : { route: fallback };
  };
}

function toCandidate<Route extends Routable>(route: Route): Candidate<Route> {
  const [method, path, ...rest] = route.routeKey.split(" ");
  if (!method || !path?.startsWith("/") || rest.length > 0 || (path !== "/" && path.endsWith("/"))) {
    throw new Error(`API Gateway refuses the route key "${route.routeKey}"`);
  }
  const segments = path.slice(1).split("/").map(toSegment);
  const greedyAt = segments.findIndex((segment) => segment.kind === "greedy");
  if (greedyAt >= 0 && greedyAt !== segments.length - 1) {
    throw new Error(`A greedy parameter must be the last segment of a route: "${route.routeKey}"`);
  }
  return { route, method, segments, isGreedy: greedyAt >= 0 };
}

function toSegment(text: string): Segment {
  const name = /^\{([^{}]+)\}$/.exec(text)?.[1];
  if (name === undefined) return { kind: "literal", text };
  return name.endsWith("+") ? { kind: "greedy", text: name.slice(0, -1) } : { kind: "parameter", text: name };
}

const preference = { literal: 0, parameter: 1, greedy: 2 } as const;

function byPreference(a: Candidate<unknown>, b: Candidate<unknown>): number {
  if (a.isGreedy !== b.isGreedy) return a.isGreedy ? 1 : -1;
  for (const [at, segment] of a.segments.entries()) {
    const other = b.segments[at];
    if (other === undefined) break;
    const difference = preference[segment.kind] - preference[other.kind];
    if (difference !== 0) return difference;
  }
  // Paths of different lengths never match the same request, but sorting needs a total order.
  return a.segments.length - b.segments.length || Number(a.method === "ANY") - Number(b.method === "ANY");
}

function splitPath(path: string, slashes: SlashMode): readonly string[] {
  const isTrailing = slashes === "lenient" && path.length > 1 && path.endsWith("/");
  return path.slice(1, isTrailing ? -1 : undefined).split("/");
}

/** @returns the parameters' values, which are never empty; undefined if the path does not match */
function matchSegments(
  candidate: Candidate<unknown>,
  segments: readonly string[],
): Record<string, string> | undefined {
  const expected = candidate.segments;
  if (candidate.isGreedy ? segments.length < expected.length : segments.length !== expected.length) {
    return undefined;
  }
  const parameters: Record<string, string> = {};
  for (const [at, { kind, text }] of expected.entries()) {
    const segment = segments[at] ?? "";
    if (kind === "literal") {
      if (text !== segment) return undefined;
      continue;
    }
    const value = kind === "greedy" ? segments.slice(at).join("/") : segment;
    if (value === "") return undefined;
    parameters[text] = value;
  }
  return parameters;
}
