import * as z from "zod/mini";
import { response, routeBuilder } from "../../lib/http/route.ts";
import { named } from "../../lib/validators/metadata.ts";

interface HealthDependencies {
  /** @throws ApiError `ServiceUnavailable` if the database cannot be read */
  assertReadable(): Promise<void>;
}

const route = routeBuilder<HealthDependencies>({ tag: "system", errorFormat: "detail" });

export const healthRoutes = [
  route("GET /health", {
    operationId: "checkHealth",
    summary: "Check that the service runs, without a database call",
    description: "It succeeds whenever functions run and does not check what they depend on.",
    responses: { 200: named("Health", z.object({ status: z.literal("ok") })) },
    handle: async () => response(200, { status: "ok" }),
  }),
  route("GET /health/ready", {
    operationId: "checkReadiness",
    summary: "Check that the service can read its database",
    description: "Each call reads the database once; 503 if it cannot be read.",
    responses: { 200: named("Readiness", z.object({ status: z.literal("ready") })) },
    handle: async (_, dependencies) => {
      await dependencies.assertReadable();
      return response(200, { status: "ready" });
    },
  }),
];
