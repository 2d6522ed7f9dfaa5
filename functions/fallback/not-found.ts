import { invalidApiKey } from "../../lib/auth/api-keys.ts";
import { allowHeader, routeNotFound } from "../../lib/http/errors.ts";
import type { NotFoundHandler } from "../../lib/http/handler.ts";
import type { RawRequest } from "../../lib/http/request.ts";
import { type Route, type RouteResponse, response, takesSecrets } from "../../lib/http/route.ts";
import { createRouter, type RouteMatch } from "../../lib/http/router.ts";

/** Longer paths name no record. Encoded again they can be three times as long; headers have 10,240 bytes. */
const MAX_LOCATION_BYTES = 1_024;

/**
 * Creates the handler of requests that match no route of the gateway: 404, 405, or a 204 with the methods for OPTIONS.
 * What only a trailing slash keeps from its route is redirected (docs/adr/0001), without a query with secrets, which
 * logs would have. Below the prefix of an area the key comes first.
 */
export function createNotFoundHandler(routes: readonly Route[]): NotFoundHandler<unknown> {
  const findRoute = createRouter(routes);
  const prefixes = new Set(routes.flatMap(({ prefix = [] }) => prefix));
  const prefixOf = (path: string) => [...prefixes].find((prefix) => path.startsWith(`${prefix}/`));
  return {
    errorFormatOf: ({ path }) => (prefixOf(path) === undefined ? "detail" : "error"),
    needsCredential: ({ path }) => prefixOf(path) !== undefined,
    handle: async (request) => {
      const { method, path, headers } = request;
      const match = findRoute(method, path);
      if (method === "OPTIONS") return methodsOf(match, headers);
      const prefix = prefixOf(path);
      if (prefix === undefined) return redirect(request, match);
      if (!headers["x-api-key"]) throw invalidApiKey();
      return response(308, undefined, { location: prefix + searchOf(request) });
    },
  };
}

function methodsOf(match: RouteMatch<unknown>, headers: RawRequest["headers"]): RouteResponse {
  const methods = match.route === undefined ? match.allowedMethods : [];
  if (methods.length > 0) return response(204, undefined, allowHeader(methods));
  if (headers["access-control-request-method"] === undefined) throw routeNotFound([]);
  // A browser shows its page the 404 of the request itself.
  return response(204);
}

function redirect(request: RawRequest, match: RouteMatch<unknown>): RouteResponse {
  const { encodedPath: path } = request;
  if (match.route === undefined) throw routeNotFound(match.allowedMethods);
  const location = path.replace(/\/$/, "");
  // A gateway that matches routes before it decodes the path sends `/errors%2F404` here: no such path exists.
  if (location === path || location.length > MAX_LOCATION_BYTES) throw routeNotFound([]);
  const { secretQuery, request: declared } = match.route;
  const hasSecrets = secretQuery || (takesSecrets(match.route) && declared.query === undefined);
  const search = hasSecrets ? "" : searchOf(request);
  return response(308, undefined, { location: location + search });
}

function searchOf({ rawQuery }: RawRequest): string {
  return rawQuery === "" ? "" : `?${rawQuery}`;
}
