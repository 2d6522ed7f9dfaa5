import * as z from "zod";
import { ApiError, notFound } from "../../lib/domain/errors.ts";
import { containsIgnoringCase } from "../../lib/domain/text.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitPageToResponseSize, limitToResponseSize } from "../../lib/http/pagination.ts";
import { response, routeBuilder } from "../../lib/http/route.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { cursorAfter } from "../../lib/validators/cursor.ts";
import { apiResponse } from "../../lib/validators/envelope.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { CreateUserRequest, PatchUserRequest, User } from "../../lib/validators/user.ts";
import {
  ListedUser,
  UserSearch,
  UserSearchPage,
  type UsersListForm,
  UsersQuery,
  UsersSearchQuery,
  UsersV1,
  UsersV2,
} from "../../lib/validators/users-list.ts";
import {
  envelopeOf,
  pick,
  type RolesByEmail,
  readUsers,
  selectionOfSearch,
  unsupportedVersion,
} from "./list.ts";
import { selectFrom, selectPage } from "./selection.ts";

/** What the user routes work with. */
export interface UsersDependencies {
  readonly users: UsersRepository;
  readonly roles: RolesByEmail;
  /** What `GET /users` answers where the request names no version. */
  readonly usersList: UsersListForm;
}

const route = routeBuilder<UsersDependencies>({
  tag: "users",
  errorFormat: "error",
  // The first failing check alone, with 400: the one area without a 422 (docs/decisions.md).
  onInvalid: ([{ field, message }]) => {
    const name = field.split(".").slice(1).join(".");
    return new ApiError("InvalidArgument", name === "" ? message : `${name}: ${message}`);
  },
});
const path = z.object({ id: recordId.describe("The user's id") });
const noSuchUser = { when: "No user has that id", example: notFound("User") };
const errors = { 404: noSuchUser };

/**
 * The user records (specification, "Users (record area)" and "Versioning").
 *
 * @param versionHeader the request header that names the version of the list, in lower case
 */
export function usersRoutes(versionHeader: string) {
  return [listUsers(versionHeader), ...otherRoutes];
}

function listUsers(versionHeader: string) {
  return route("GET /users", {
    operationId: "listUsers",
    summary: "List users: filtered, sorted, paged, in the envelope of a version",
    description:
      "`page` or `limit` asks for a page, but with `cursor` `limit` is the size of a part; without any of them the " +
      "list is whole. Names are in the order of code points, and ties break by id in the same direction. `role` " +
      "goes by the account that has the user's e-mail; who has none counts as `user`.",
    query: UsersQuery,
    headers: z.object({
      [versionHeader]: z
        .string()
        .optional()
        .meta({
          description:
            "`1.0` or `2.0`: the version whose envelope is answered. Any other value is answered with 400",
          examples: ["1.0", "2.0"],
        }),
    }),
    responses: {
      200: z
        .union([z.array(ListedUser), UsersV1, UsersV2])
        .describe(
          `With \`${versionHeader}\` the envelope of that version; without it an array, or the envelope of version 1.0 ` +
            "where the deployment is set so",
        ),
    },
    responseHeaders: { 200: ["vary"] },
    errors: {
      400: { when: "There is no such version", example: unsupportedVersion(), errorFormat: "detail" },
    },
    pagedBy: "limit",
    goesOn: true,
    handle: async ({ query, headers, target }, { users, roles, usersList }) => {
      const inEnvelope = envelopeOf(headers[versionHeader], usersList);
      const { records, headers: links } = await readUsers(query, target, users, roles);
      const answered = inEnvelope(records.map((user) => pick(user, query.fields)));
      return response(200, answered, { vary: versionHeader, ...links });
    },
  });
}

const otherRoutes = [
  route("POST /users", {
    operationId: "createUser",
    summary: "Create a user",
    description:
      "Name, e-mail and age are checked in this order, and the first that fails is answered alone. The e-mail " +
      "needs an `@` and may occur twice; the record is no account, with which somebody could log in.",
    body: CreateUserRequest,
    responses: { 201: User },
    responseHeaders: { 201: ["location"] },
    creates: true,
    etag: entityTag,
    handle: async ({ body, idempotency }, { users }) => {
      const user = await users.create(body, idempotency);
      return response(201, user, { location: `/users/${user.id}` });
    },
  }),
  route("GET /users/search", {
    operationId: "findUsers",
    summary: "Find users whose name or e-mail contains a text",
    description:
      "In the order of the ids. Upper and lower case are the same, in any script and no particular language.",
    query: UsersSearchQuery,
    responses: { 200: z.array(User) },
    goesOn: true,
    handle: async ({ query: { q, limit, cursor }, target }, { users }) => {
      const isMatch = containsIgnoringCase(q);
      const conditions = [({ name, email }: User) => isMatch(name) || isMatch(email)];
      const slice = await selectFrom(users, { conditions }, { after: cursor, limit });
      const { records, headers } = limitToResponseSize(slice, target, ({ id }) => cursorAfter(id));
      return response(200, records, headers);
    },
  }),
  route("POST /users/search", {
    operationId: "searchUsers",
    summary: "Find users by the values of their fields",
    description:
      "A user has to equal every filter to the letter; a filter that is `null` counts as absent. `page` and " +
      "`size` in the query take the place of the body's, so that one body serves every address in `Link`.",
    query: UserSearchPage,
    body: UserSearch,
    responses: { 200: z.array(User) },
    pagedBy: "size",
    handle: async ({ query, body, target }, { users }) => {
      const place = { page: query.page ?? body.page ?? 1, size: query.size ?? body.size ?? 10 };
      const { records, total } = await selectPage(users, selectionOfSearch(body, place));
      const fit = limitPageToResponseSize(records, { ...place, total }, target, "size");
      return response(200, fit.records, fit.headers);
    },
  }),
  route("GET /users/{id}", {
    operationId: "getUser",
    summary: "Get a user, in an envelope",
    description:
      "The 404 comes in the envelope too, also for an id that is no integer. The `ETag` is that of the user " +
      "alone, as `PUT` and `PATCH` answer it.",
    path,
    responses: { 200: apiResponse(User).meta({ id: "UserResponse" }) },
    errors: { 404: { ...noSuchUser, errorFormat: "envelope" } },
    // Of the user alone, as the answers of PUT and PATCH have it.
    etag: ({ data }: { readonly data: User }) => entityTag(data),
    handle: async ({ path: { id } }, { users }) =>
      response(200, { success: true, data: found(await users.get(id)), error: null }),
  }),
  route("PUT /users/{id}", {
    operationId: "replaceUser",
    summary: "Replace a user",
    description: "All fields are needed, and are checked before whether there is such a user.",
    path,
    body: CreateUserRequest,
    responses: { 200: User },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, body, precondition }, { users }) =>
      response(200, found(await users.update(id, body, precondition))),
  }),
  route("PATCH /users/{id}", {
    operationId: "updateUser",
    summary: "Change a user; absent and null fields keep their values",
    description:
      "The fields are checked before whether there is such a user; `{}` changes nothing. The 404 has no body.",
    path,
    body: PatchUserRequest,
    responses: { 200: User },
    errors: { 404: { ...noSuchUser, errorFormat: "empty" } },
    etag: entityTag,
    handle: async ({ path: { id }, body: { name, email, age }, precondition }, { users }) => {
      const changes = { name: name ?? undefined, email: email ?? undefined, age: age ?? undefined };
      return response(200, found(await users.update(id, changes, precondition)));
    },
  }),
  route("DELETE /users/{id}", {
    operationId: "deleteUser",
    summary: "Delete a user",
    description:
      "The user's posts stay, under `/posts` alone, and so does an account with the same e-mail. The id is not " +
      "given to another user.",
    path,
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { users }) => {
      found((await users.remove(id, precondition)) || undefined);
      return response(204);
    },
  }),
];

function found<T>(user: T | undefined): T {
  if (user === undefined) throw notFound("User");
  return user;
}
