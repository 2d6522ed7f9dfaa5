import * as z from "zod/mini";
import { type ApiKeyAuthDependencies, apiKey } from "../../lib/auth/api-keys.ts";
import { routeNotFound } from "../../lib/http/errors.ts";
import type { NotFoundHandler } from "../../lib/http/handler.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { inMediaType, response, routeBuilder } from "../../lib/http/route.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";
import { UsersV1, UsersV2, usersV1, usersV2 } from "../../lib/validators/users-list.ts";

interface ApiKeyDependencies extends ApiKeyAuthDependencies {
  readonly users: Pick<UsersRepository, "list">;
}

const valid = "The key is valid.";
const route = routeBuilder<ApiKeyDependencies>({ tag: "api-key", errorFormat: "error", prefix: "/api" });

/** The routes that require the static key (specification, "Scheme 1: static key" and "Path prefix"). */
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
  route("GET /api/v1/users", {
    operationId: "listUsersV1",
    summary: "List users, version 1.0",
    description:
      "In id order, in the envelope that `GET /users` has for version 1.0. Only `GET /users` has filters.",
    authorizer: apiKey,
    request: { query: ListQuery },
    responses: { 200: UsersV1 },
    handle: async ({ query: { limit, cursor }, target, budget }, { users }) => {
      const page = await users.list({ after: cursor, limit }, budget().forPart());
      const { records, headers } = limitToResponseSize(page, target, byId);
      return response(200, usersV1(records), headers);
    },
  }),
  route("GET /api/v2/users", {
    operationId: "listUsersV2",
    summary: "List users with their total, version 2.0",
    description:
      "In id order. `metadata.total` counts the users in this response: not all, if `limit` or the size of a response " +
      "ends the list.",
    authorizer: apiKey,
    request: { query: ListQuery },
    responses: { 200: UsersV2 },
    handle: async ({ query: { limit, cursor }, target, budget }, { users }) => {
      const page = await users.list({ after: cursor, limit }, budget().forPart());
      const { records, headers } = limitToResponseSize(page, target, byId);
      return response(200, usersV2(records), headers);
    },
  }),
];

/** Checks the key first, so that nobody can find out without one which paths exist. */
export const notFoundHandler: NotFoundHandler<ApiKeyDependencies> = {
  errorFormatOf: () => "error",
  needsCredential: () => true,
  handle: async ({ headers }, allowedMethods, dependencies) => {
    await apiKey.authorize(headers, dependencies());
    throw routeNotFound(allowedMethods);
  },
};
