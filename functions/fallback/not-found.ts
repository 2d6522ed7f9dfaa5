import { routeNotFound } from "../../lib/http/errors.ts";
import type { NotFoundHandler } from "../../lib/http/handler.ts";
import { type Route, response } from "../../lib/http/route.ts";
import { createRouter } from "../../lib/http/router.ts";

/**
 * Creates the handler of requests that match no route of the gateway: 404, or 405 with the methods that the path
 * allows.
 *
 * A gateway that distinguishes `/todos/` from `/todos` sends the former here. Another function has that operation, so
 * the client is redirected; fallback needs no table for it (docs/adr/0001). The same holds for `/api/`, whose function
 * checks the key first. A query with secrets is left out of the redirect, since a `Location` ends up in logs.
 *
 * @param routes the routes of all functions
 * @param prefixes the paths below which another function handles every request
 */
export function createNotFoundHandler(
  routes: readonly Route[],
  prefixes: readonly string[],
): NotFoundHandler<unknown> {
  const findRoute = createRouter(routes);
  return {
    errorFormat: "detail",
    handle: async ({ method, path, target, rawQuery }) => {
      const match = findRoute(method, path);
      if (match.route === undefined && !prefixes.some((prefix) => path === `${prefix}/`))
        throw routeNotFound(match.allowedMethods);
      const location = target.path.replace(/\/$/, "");
      // A gateway that matches routes before it decodes the path sends `/errors%2F404` here: no such path exists.
      if (location === target.path) throw routeNotFound([]);
      const query = rawQuery === "" || match.route?.secretQuery ? "" : `?${rawQuery}`;
      return response(308, undefined, { location: location + query });
    },
  };
}
