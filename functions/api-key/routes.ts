import * as z from "zod/mini";
import { type ApiKeyAuthDependencies, apiKey } from "../../lib/auth/api-keys.ts";
import { inMediaType, response, routeBuilder } from "../../lib/http/route.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";

const valid = "The key is valid.";
const route = routeBuilder<ApiKeyAuthDependencies>({
  tag: "api-key",
  errorFormat: "error",
  prefix: "/api",
  dependencies: () => ({}),
});

/** The static key (specification, "Scheme 1: static key"). */
export const routes = [
  route("GET /api/protected", {
    operationId: "checkKey",
    summary: "Confirm in plain text that the key is valid",
    description: "Under `/api` the key is checked before anything else, even before whether the path exists.",
    authorizer: apiKey,
    responses: {
      200: inMediaType("text/plain; charset=utf-8", withMetadata(z.string(), { examples: [valid] })),
    },
    handle: async () => response(200, valid),
  }),
];
