import { invalidApiKey } from "../../lib/auth/api-keys.ts";
import { routeNotFound } from "../../lib/http/errors.ts";
import type { NotFoundHandler } from "../../lib/http/handler.ts";
import { type Route, response } from "../../lib/http/route.ts";
import { createRouter } from "../../lib/http/router.ts";

/**
 * Longer paths name no record. Encoded again, a path can be three times as long as it was sent, and the gateway limits
 * the headers of a response to 10,240 bytes.
 */
const MAX_LOCATION_BYTES = 1_024;

/**
 * Creates the handler of requests that match no route of the gateway: 404, or 405 with the methods that the path
 * allows.
 *
 * A gateway that distinguishes `/todos/` from `/todos` sends the former here. Another function has that operation, so
 * the client is redirected; fallback needs no table for it (docs/adr/0001). The same holds for `/api/`, `/api//` and so
 * on, which no greedy route key matches: fallback cannot read the keys, so it refuses requests without one and sends
 * all others to the function that checks it. A query with secrets is left out of the redirect, since a `Location` ends
 * up in logs.
 *
 * @param routes the routes of all functions; below their prefixes, another function checks the static key of every
 *   request
 */
export function createNotFoundHandler(routes: readonly Route[]): NotFoundHandler<unknown> {
  const findRoute = createRouter(routes);
  const prefixes = new Set(routes.flatMap(({ prefix = [] }) => prefix));
  const prefixOf = (path: string) => [...prefixes].find((prefix) => path.startsWith(`${prefix}/`));
  return {
    errorFormatOf: ({ path }) => (prefixOf(path) === undefined ? "detail" : "error"),
    needsCredential: ({ path }) => prefixOf(path) !== undefined,
    handle: async ({ method, path, target, rawQuery, headers }) => {
      const search = rawQuery === "" ? "" : `?${rawQuery}`;
      const prefix = prefixOf(path);
      if (prefix !== undefined) {
        if (!headers["x-api-key"]) throw invalidApiKey();
        return response(308, undefined, { location: prefix + search });
      }
      const match = findRoute(method, path);
      if (match.route === undefined) throw routeNotFound(match.allowedMethods);
      const location = target.path.replace(/\/$/, "");
      // A gateway that matches routes before it decodes the path sends `/errors%2F404` here: no such path exists.
      if (location === target.path || location.length > MAX_LOCATION_BYTES) throw routeNotFound([]);
      return response(308, undefined, { location: match.route.secretQuery ? location : location + search });
    },
  };
}
