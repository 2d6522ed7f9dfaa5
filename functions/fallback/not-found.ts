import { type NotFoundHandler, routeNotFound } from "../../lib/http/handler.ts";
import { type Route, response } from "../../lib/http/route.ts";
import { createRouter } from "../../lib/http/router.ts";

/**
 * What the fallback answers for a request that its own routes do not match: 404, or 405 with the methods
 * that the path has.
 *
 * A gateway that holds `/todos/` and `/todos` apart sends the former here. Its operation belongs to another
 * function, so the client is led there; fallback itself needs no table for that (docs/adr/0001). The same for
 * `/api/`: whoever answers for all below a prefix checks the key before anything is said. A query with secrets is
 * left out of where it leads: a `Location` ends up in logs, and a login without its password fails at idempotency.
 *
 * @param routes the routes of all functions
 * @param prefixes the paths below which another function answers for everything
 */
export function createNotFoundHandler(
  routes: readonly Route<never>[],
  prefixes: readonly string[],
): NotFoundHandler<unknown> {
  const find = createRouter(routes);
  return {
    errorFormat: "detail",
    handle: async (request) => {
      const found = find(request.method, request.path);
      const isElsewhere = found.route !== undefined || prefixes.some((each) => request.path === `${each}/`);
      if (!isElsewhere) throw routeNotFound(found.allow);
      const location = request.target.replace(/\/(?=$|\?)/, "");
      // A gateway that chooses the route before it decodes the path sends `/errors%2F404` here: it is no path.
      if (location === request.target) throw routeNotFound([]);
      return response(308, undefined, {
        location: found.route?.secretQuery ? location.replace(/\?.*$/s, "") : location,
      });
    },
  };
}
