import * as z from "zod/mini";
import { type ApiKeyAuthDependencies, apiKey } from "../../lib/auth/api-keys.ts";
import { routeNotFound } from "../../lib/http/errors.ts";
import type { NotFoundHandler } from "../../lib/http/handler.ts";
import { inMediaType, response, routeBuilder } from "../../lib/http/route.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";

const valid = "The key is valid.";
const route = routeBuilder<ApiKeyAuthDependencies>({ tag: "api-key", errorFormat: "error", prefix: "/api" });

/** The static key (specification, "Scheme 1: static key"). */
export const routes = [
  route("GET /api/protected", {
    operationId: "checkKey",
    summary: "Check that the key is valid",
    description: "Under `/api` the key is checked first, even for paths that do not exist.",
    authorizer: apiKey,
    responses: {
      200: inMediaType("text/plain; charset=utf-8", withMetadata(z.string(), { examples: [valid] })),
    },
    handle: async () => response(200, valid),
  }),
];

/** Checks the key first, so that nobody can find out without one which paths exist. */
export const notFoundHandler: NotFoundHandler<ApiKeyAuthDependencies> = {
  errorFormatOf: () => "error",
  needsCredential: () => true,
  handle: async ({ headers }, allowedMethods, dependencies) => {
    await apiKey.authorize(headers, dependencies());
    throw routeNotFound(allowedMethods);
  },
};
