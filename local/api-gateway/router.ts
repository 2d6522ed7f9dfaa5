/**
 * How the local gateway treats a trailing slash. Which of the two API Gateway does is not documented:
 * `lenient` serves `/users/` from the route `/users`, `strict` leaves it to a greedy route.
 */
export type SlashMode = "lenient" | "strict";

/** What a router needs of a route: its key, such as `GET /users/{id}` or `$default`. */
export interface Routable {
  readonly routeKey: string;
}

export interface RouteMatch<Route> {
  readonly route: Route;
  /** The values of the path's parameters; absent when the route has none. */
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
  /** The literal itself, or the parameter's name. */
  readonly text: string;
}

/**
 * Makes API Gateway's choice of a route for a request.
 *
 * Order of preference: paths without a greedy parameter, then greedy ones, then `$default`. Within those, the
 * leftmost segment that differs decides: literal, parameter, greedy parameter. For the same path an exact
 * method beats `ANY`. From "Routing API requests" in the HTTP API developer guide.
 *
 * @param routes the routes, whose keys are unique
 * @param slashes whether a trailing slash of the request is ignored
 * @returns a function from method and percent-decoded path to the match, or undefined if there is none
 * @throws {Error} for a route key that API Gateway would refuse
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
      return Object.keys(pathParameters).length === 0
        ? { route: candidate.route }
        : { route: candidate.route, pathParameters };
    }
    return fallback === undefined ? undefined : { route: fallback };
  };
}

function toCandidate<Route extends Routable>(route: Route): Candidate<Route> {
  const [method, path, ...rest] = route.routeKey.split(" ");
  if (!method || !path?.startsWith("/") || rest.length > 0 || (path !== "/" && path.endsWith("/"))) {
    throw new Error(`API Gateway has no route key like "${route.routeKey}"`);
  }
  const segments = path.slice(1).split("/").map(toSegment);
  const greedyAt = segments.findIndex((segment) => segment.kind === "greedy");
  if (greedyAt >= 0 && greedyAt !== segments.length - 1) {
    throw new Error(`A greedy parameter is the last segment of a route: "${route.routeKey}"`);
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
  // Paths of different lengths never fit the same request here, but sorting needs an order for all of them.
  return a.segments.length - b.segments.length || Number(a.method === "ANY") - Number(b.method === "ANY");
}

function splitPath(path: string, slashes: SlashMode): readonly string[] {
  const isTrailing = slashes === "lenient" && path.length > 1 && path.endsWith("/");
  return path.slice(1, isTrailing ? -1 : undefined).split("/");
}

/** @returns the parameters' values, or undefined if the path does not fit; a parameter is never empty */
function matchSegments(
  candidate: Candidate<unknown>,
  segments: readonly string[],
): Record<string, string> | undefined {
  const wanted = candidate.segments;
  if (candidate.isGreedy ? segments.length < wanted.length : segments.length !== wanted.length) {
    return undefined;
  }
  const parameters: Record<string, string> = {};
  for (const [at, want] of wanted.entries()) {
    const segment = segments[at] ?? "";
    if (want.kind === "literal") {
      if (want.text !== segment) return undefined;
      continue;
    }
    const value = want.kind === "greedy" ? segments.slice(at).join("/") : segment;
    if (value === "") return undefined;
    parameters[want.text] = value;
  }
  return parameters;
}
