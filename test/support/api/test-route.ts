import * as z from "zod/mini";
import { type Method, response, routeBuilder } from "../../../lib/http/route.ts";

export const about = { operationId: "test", summary: "Test", description: "For the tests." };

export const route = routeBuilder<unknown>({ tag: "test", errorFormat: "detail" });

export const emptyRoute = <const Key extends `${Method} /${string}`>(key: Key) =>
  route(key, { ...about, responses: { 204: z.undefined() }, handle: async () => response(204) });
