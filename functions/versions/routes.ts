import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type ApiKeyAuthDependencies, apiKey } from "../../lib/auth/api-keys.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { response, routeBuilder, type ValidRequest } from "../../lib/http/route.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { tableName } from "../../lib/settings.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import type { User } from "../../lib/validators/user.ts";
import { UsersV1, UsersV2, usersV1, usersV2 } from "../../lib/validators/users-list.ts";

interface VersionsDependencies extends ApiKeyAuthDependencies {
  readonly users: Pick<UsersRepository, "list">;
}

const route = routeBuilder<VersionsDependencies>({
  tag: "api-key",
  errorFormat: "error",
  prefix: "/api",
});

export const dependencies = (client: DynamoDBClient) => ({
  users: new UsersRepository(client, tableName("users")),
});

/** @param envelope of the version, for the users of one response */
function listedIn<Body extends object>(envelope: (users: User[]) => Body) {
  type Request = Pick<ValidRequest<{ query: typeof ListQuery }>, "query" | "target" | "budget">;
  return async (
    { query: { limit, cursor }, target, budget }: Request,
    { users }: Pick<VersionsDependencies, "users">,
  ) => {
    const page = await users.list({ after: cursor, limit }, budget().forPart());
    const { records, headers } = limitToResponseSize(page, target, byId);
    return response(200, envelope(records), headers);
  };
}

/** The versions of the users list (specification, "Versions by path prefix"). */
export const routes = [
  route("GET /api/v1/users", {
    operationId: "listUsersV1",
    summary: "List users, version 1.0",
    description:
      "In id order, in the envelope that `GET /users` has for version 1.0. Only `GET /users` has filters.",
    authorizer: apiKey,
    request: { query: ListQuery },
    responses: { 200: UsersV1 },
    handle: listedIn(usersV1),
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
    handle: listedIn(usersV2),
  }),
];
