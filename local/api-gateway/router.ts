import type { RouteModel } from "../stack/model.ts";

/** API Gateway does not document it: `lenient` matches `/users/` with the route `/users`, `strict` does not. */
export type SlashMode = "lenient" | "strict";

interface RouteMatch<Route> {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
}

export type Router<Route> = (method: string, path: string) => RouteMatch<Route> | undefined;

/**
 * Chooses routes as API Gateway does ("Routing API requests" in its developer guide): first paths without a greedy
 * parameter. Then the leftmost segment that differs decides: literal, parameter, greedy parameter.
 */
export function createRouter<Route extends Pick<RouteModel, "routeKey">>(
  routes: readonly Route[],
  slashes: SlashMode,
): Router<Route> {
  const candidates = routes
    .map((route) => ({ route, ...parseKey(route.routeKey) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));

  return (method, path) => {
    const isTrailing = slashes === "lenient" && path.length > 1 && path.endsWith("/");
    const request = `${method} ${isTrailing ? path.slice(0, -1) : path}`;
    for (const { route, pattern } of candidates) {
      const match = pattern.exec(request);
      if (match) return { route, pathParameters: match.groups };
    }
    return undefined;
  };
}

const literal = 0;
const parameter = 1;
const greedy = 2;

/** @returns the pattern of its requests, and a text to sort routes by */
function parseKey(routeKey: string) {
  const [method, ...path] = routeKey.split(/ ?\//);
  const segments = path.map((text) => {
    const [, name, plus] = /^\{([^{}+]+)(\+?)\}$/.exec(text) ?? [];
    if (name === undefined) return { kind: literal, pattern: text.replace(/[^\w-]/g, "\\$&") };
    return plus
      ? { kind: greedy, pattern: `(?<${name}>.+)` }
      : { kind: parameter, pattern: `(?<${name}>[^/]+)` };
  });
  const kinds = segments.map(({ kind }) => kind);
  return {
    pattern: new RegExp(`^${method} /${segments.map(({ pattern }) => pattern).join("/")}$`, "s"),
    rank: `${kinds.includes(greedy)} ${kinds.join("")}`,
  };
}
