import * as z from "zod/mini";
import { type Method, response, routeBuilder } from "../../../lib/http/route.ts";

/** What the routes of tests say about themselves. */
export const about = { operationId: "test", summary: "Test", description: "For the tests." };

/** Declares a route of a test. */
export const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });

/** Declares a route that responds with a 204. */
export const emptyRoute = <const Key extends `${Method} /${string}`>(key: Key) =>
  route(key, { ...about, responses: { 204: z.undefined() }, handle: async () => response(204) });
