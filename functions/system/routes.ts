import * as z from "zod";
import { response, routeBuilder } from "../../lib/http/route.ts";

/** What the service routes work with. */
export interface SystemDependencies {
  /** @throws ApiError `ServiceUnavailable` when the database cannot be read */
  assertReadable(): Promise<void>;
}

const route = routeBuilder<SystemDependencies>({ tag: "system", errorFormat: "detail" });

/** What the service says of itself. */
export const systemRoutes = [
  route("GET /health", {
    operationId: "checkHealth",
    summary: "Tell that the service runs; no database call",
    description: "It answers as long as functions run, and says nothing of what they need.",
    responses: { 200: z.object({ status: z.literal("ok") }).meta({ id: "Health" }) },
    handle: async () => response(200, { status: "ok" }),
  }),
  route("GET /health/ready", {
    operationId: "checkReadiness",
    summary: "Tell that the service can read its database; 503 when it cannot",
    description: "Each call reads the database idempotency, whether there is anything to be found or not.",
    responses: { 200: z.object({ status: z.literal("ready") }).meta({ id: "Readiness" }) },
    handle: async (_, services) => {
      await services.assertReadable();
      return response(200, { status: "ready" });
    },
  }),
];
