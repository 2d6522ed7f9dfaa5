import * as z from "zod/mini";
import { anyone, type BearerDependencies } from "../../lib/auth/authorizers.ts";
import { ApiError, notFound, orNotFound } from "../../lib/domain/errors.ts";
import { containsIgnoringCase } from "../../lib/domain/text.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitPageToResponseSize, listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, response, routeBuilder } from "../../lib/http/route.ts";
import type { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { StoredUser, type UsersRepository } from "../../lib/repositories/users.ts";
import { byId } from "../../lib/validators/cursor.ts";
import { withMetadata } from "../../lib/validators/metadata.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import {
  CreateUserRequest,
  NewUser,
  PatchUserRequest,
  User,
  UserResponse,
} from "../../lib/validators/user.ts";
import {
  ListedUser,
  UserSearch,
  UserSearchPage,
  UsersQuery,
  UsersSearchQuery,
  UsersV1,
  UsersV2,
} from "../../lib/validators/users-list.ts";
import {
  envelopeOf,
  listUsers,
  pickFields,
  readWholePage,
  searchSelection,
  unsupportedVersion,
} from "./list.ts";
import { DEFAULT_VERSION_HEADER, type UsersListFormat } from "./settings.ts";

interface UsersDependencies extends BearerDependencies {
  readonly users: UsersRepository;
  readonly roles: Pick<AccountQueries, "emailsWithRole">;
  /** The body of `GET /users` without a version header. */
  readonly usersList: UsersListFormat;
}

const route = routeBuilder<UsersDependencies>({
  tag: "users",
  errorFormat: "error",
  // A 400 with the first error only: the one area without a 422 (docs/decisions.md).
  onInvalid: (details) => {
    const [{ field, message }] = details;
    const name = field.split(".").slice(1).join(".");
    return new ApiError("InvalidArgument", name === "" ? message : `${name}: ${message}`, { details });
  },
});
const path = z.object({ id: recordId("The user's id") });
const userNotFound = { when: "No user has this id", example: notFound("User") };
const errors = { 404: userNotFound };

/** The user records (specification, "User records" and "Versioning"). */
export function usersRoutes(versionHeader: string) {
  return [listRoute(versionHeader), ...otherRoutes];
}

function listRoute(versionHeader: string) {
  // The specification's own name counts unless the deployment chooses one.
  const names = versionHeader === DEFAULT_VERSION_HEADER ? [versionHeader, "api_version"] : [versionHeader];
  const note = names.length > 1 ? ". `api_version` counts as well" : "";
  return route("GET /users", {
    operationId: "listUsers",
    summary: "List users, with filters, sorting, pages and versions",
    description:
      "`page` or `limit` selects a page; with `cursor`, `limit` is the number of users from there. Without them the " +
      "list is complete. Names are sorted by code point, and ties by id in the same direction. `role` is the role of " +
      "the account with the user's e-mail; a user without an account has the role `user`. Only " +
      "administrators see who is one: for everybody else, all users have the role `user`.",
    authorizer: anyone,
    request: {
      query: UsersQuery,
      headers: z.object(
        Object.fromEntries(
          names.map((name) => [
            name,
            withMetadata(z.optional(z.string()), {
              description: `The version of the envelope. Any other value is a 400${note}`,
              // Only documented: the specification has a 400 of its own for other values.
              enum: ["1.0", "2.0"],
            }),
          ]),
        ),
      ),
    },
    responses: {
      200: withMetadata(z.union([z.array(ListedUser), UsersV1, UsersV2]), {
        description:
          `With \`${versionHeader}\` the envelope of that version; otherwise an array, or the envelope of version 1.0 ` +
          "if the deployment is configured so",
      }),
    },
    responseHeaders: { 200: ["vary"] },
    errors: {
      400: { when: "The version is not supported", example: unsupportedVersion(), errorFormat: "detail" },
    },
    handle: async ({ query, headers, target, budget, caller: isAdmin }, { users, roles, usersList }) => {
      const [version] = names.flatMap((name) => headers[name] ?? []);
      const inEnvelope = envelopeOf(version, usersList);
      const emailsWithRole: typeof roles.emailsWithRole = async (...names) =>
        (await isAdmin()) ? roles.emailsWithRole(...names) : new Set<string>();
      const { records, headers: links } = await listUsers(query, target, users, emailsWithRole, budget());
      const body = inEnvelope(records.map((user) => pickFields(user, query.fields)));
      return response(200, body, { vary: names.join(", "), ...links });
    },
  });
}

const otherRoutes = [
  route("POST /users", {
    operationId: "createUser",
    summary: "Create a user",
    description:
      "Name, e-mail and age are checked in this order, and only the first error is reported. The e-mail must contain " +
      "an `@` and need not be unique. `POST /users/`, with the slash, registers an account, which can log in.",
    request: { body: NewUser },
    responses: { 201: User },
    etag: entityTag,
    location: ({ id }: User) => `/users/${id}`,
    handle: async ({ body, idempotency }, { users }) => created(await users.create(body, idempotency)),
  }),
  route("GET /users/search", {
    operationId: "findUsers",
    summary: "Find users whose name or e-mail contains a text",
    description: "In id order. The search ignores case and how letters are composed (NFKC), in any script.",
    request: { query: UsersSearchQuery },
    responses: { 200: z.array(User) },
    handle: async ({ query: { q, limit, cursor }, target, budget }, { users }) => {
      const isMatch = containsIgnoringCase(q);
      const filter = ({ name, email }: User) => isMatch(name) || isMatch(email);
      const page = await users.list({ after: cursor, limit, filter }, budget().forPart());
      return listResponse(page, target, byId);
    },
  }),
  route("POST /users/search", {
    operationId: "searchUsers",
    access: "list",
    summary: "Find users by the values of their fields",
    description:
      "A user must equal every filter exactly; a `null` filter counts as absent. `page` and `size` in the query " +
      "override the body's, so that one body fits every address in `Link`.",
    request: { query: UserSearchPage, body: UserSearch },
    responses: { 200: z.array(User) },
    handle: async ({ query, body, target, budget }, { users }) => {
      const position = { page: query.page ?? body.page ?? 1, size: query.size ?? body.size ?? 10 };
      const list = await readWholePage(users, searchSelection(body), position, budget());
      const page = { ...position, ...list };
      const { records, headers } = limitPageToResponseSize(list.records, page, target, "size");
      return response(200, records, headers);
    },
  }),
  route("GET /users/{id}", {
    operationId: "getUser",
    summary: "Get a user in an envelope",
    description:
      "A 404 has the envelope too, also for an id that is not an integer. The `ETag` is that of the user without the " +
      "envelope, as `PUT` and `PATCH` return it.",
    request: { path },
    responses: { 200: UserResponse },
    errors: { 404: { ...userNotFound, errorFormat: "envelope" } },
    etag: ({ data }: { readonly data: User }) => entityTag(data),
    handle: async ({ path: { id } }, { users }) => {
      const user = orNotFound(await users.get(id), "User");
      return response(200, { success: true, data: user, error: null });
    },
  }),
  route("PUT /users/{id}", {
    operationId: "replaceUser",
    summary: "Replace a user",
    description: "All fields are required and validated before the user is looked up.",
    request: { path, body: CreateUserRequest },
    responses: { 200: User },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, body, precondition }, { users }) =>
      found(await users.update(id, body, precondition), "User"),
  }),
  route("PATCH /users/{id}", {
    operationId: "updateUser",
    summary: "Change a user; absent and null fields keep their values",
    description:
      "Fields are validated before the user is looked up; `{}` changes nothing. A 404 has no body.",
    request: { path, body: PatchUserRequest },
    responses: { 200: User },
    errors: { 404: { ...userNotFound, errorFormat: "empty" } },
    etag: entityTag,
    handle: async ({ path: { id }, body, precondition }, { users }) =>
      found(await users.update(id, body, precondition), "User"),
  }),
  route("DELETE /users/{id}", {
    operationId: "deleteUser",
    summary: "Delete a user",
    description:
      "Records that name the user stay, and so does an account with the same e-mail. The id is not " +
      "reused.",
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { users }) =>
      deleted(await users.remove(id, precondition), "User"),
  }),
];

export const routes = usersRoutes(DEFAULT_VERSION_HEADER);
export const stored = { schema: StoredUser };
