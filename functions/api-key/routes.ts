import * as z from "zod";
import { type ApiKeyAuthDependencies, apiKey } from "../../lib/auth/keys.ts";
import { type NotFoundHandler, routeNotFound } from "../../lib/http/handler.ts";
import { inMediaType } from "../../lib/http/media-types.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { cursorAfter, ListQuery } from "../../lib/validators/cursor.ts";
import { UsersV1, UsersV2, usersV1, usersV2 } from "../../lib/validators/users-list.ts";

/** What the routes behind the static key work with. */
export interface ApiKeyDependencies extends ApiKeyAuthDependencies {
  readonly users: Pick<UsersRepository, "list">;
}

const route = routeBuilder<ApiKeyDependencies>({ tag: "api-key", errorFormat: "error" });

/** What needs the static key (specification, "Scheme 1: static key" and "Path prefix"). */
export const apiKeyRoutes = [
  route("GET /api/protected", {
    operationId: "checkKey",
    summary: "Tell in plain text that the key is valid",
    description:
      "Under `/api` the key is checked before anything else, also before whether there is such a path.",
    authorizer: apiKey,
    responses: { 200: inMediaType("text/plain; charset=utf-8", z.string()) },
    handle: async () => response(200, "The key is valid."),
  }),
  route("GET /api/v1/users", {
    operationId: "listUsersV1",
    summary: "List users, version 1.0",
    description:
      "All user records, in the order of the ids and in the envelope that `GET /users` has for the version 1.0. " +
      "Filters are there alone.",
    authorizer: apiKey,
    query: ListQuery,
    responses: { 200: UsersV1 },
    goesOn: true,
    handle: async ({ query, target }, { users }) => {
      const { records, headers } = await usersFrom(query, target, users);
      return response(200, usersV1(records), headers);
    },
  }),
  route("GET /api/v2/users", {
    operationId: "listUsersV2",
    summary: "List users, version 2.0: with their number",
    description:
      "`metadata.total` counts the users in the answer: where `limit` or the length of an answer ends it, not all " +
      "that there are.",
    authorizer: apiKey,
    query: ListQuery,
    responses: { 200: UsersV2 },
    goesOn: true,
    handle: async ({ query, target }, { users }) => {
      const { records, headers } = await usersFrom(query, target, users);
      return response(200, usersV2(records), headers);
    },
  }),
];

/** Without a key, nobody learns which paths there are. */
export const apiKeyNotFound: NotFoundHandler<ApiKeyDependencies> = {
  errorFormat: "error",
  handle: async ({ headers }, allow, services) => {
    await apiKey.authorize(headers, services());
    throw routeNotFound(allow);
  },
};

async function usersFrom(
  { limit, cursor }: z.output<typeof ListQuery>,
  target: string,
  users: ApiKeyDependencies["users"],
) {
  return limitToResponseSize(await users.list({ after: cursor, limit }), target, ({ id }) => cursorAfter(id));
}
