import * as z from "zod";
import { Failure } from "../../lib/failure.ts";
import { tagOf } from "../../lib/http/entity-tags.ts";
import { fitting, fittingPage } from "../../lib/http/lists.ts";
import { answer, area } from "../../lib/http/route.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { cursorAfter } from "../../lib/schemas/cursor.ts";
import { apiResponse } from "../../lib/schemas/envelope.ts";
import { recordId } from "../../lib/schemas/parameter.ts";
import { CreateUserRequest, PatchUserRequest, User } from "../../lib/schemas/user.ts";
import {
  ListedUser,
  UserSearch,
  UserSearchPage,
  type UsersListForm,
  UsersQuery,
  UsersSearchQuery,
  UsersV1,
  UsersV2,
} from "../../lib/schemas/users-list.ts";
import { containing } from "../../lib/text.ts";
import { envelopeOf, pick, type RolesByEmail, readUsers, selectionOfSearch } from "./list.ts";
import { selectFrom, selectPage } from "./selection.ts";

/** What the user routes work with. */
export interface UsersServices {
  readonly users: UsersRepository;
  readonly roles: RolesByEmail;
  /** What `GET /users` answers where the request names no version. */
  readonly usersList: UsersListForm;
}

const route = area<UsersServices>({
  tag: "users",
  dialect: "error",
  // The first failing check alone, with 400: the one area without a 422 (README, "Decisions").
  onInvalid: ([{ field, message }]) => {
    const name = field.split(".").slice(1).join(".");
    return new Failure("InvalidArgument", name === "" ? message : `${name}: ${message}`);
  },
});
const path = z.object({ id: recordId });
const failures = { 404: "No user has that id" } as const;

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
    query: UsersQuery,
    headers: z.object({
      [versionHeader]: z.string().optional().describe("1.0 or 2.0: answers its envelope"),
    }),
    answers: {
      200: z
        .union([z.array(ListedUser), UsersV1, UsersV2])
        .describe(
          `With \`${versionHeader}\` the envelope of that version; without it an array, or the envelope of version 1.0 ` +
            "where the deployment is set so",
        ),
    },
    answerHeaders: { 200: ["vary"] },
    failures: { 400: { when: "There is no such version", dialect: "detail" } },
    pagedBy: "limit",
    goesOn: true,
    handle: async ({ query, headers, target }, { users, roles, usersList }) => {
      const inEnvelope = envelopeOf(headers[versionHeader], usersList);
      const { records, headers: links } = await readUsers(query, target, users, roles);
      const answered = inEnvelope(records.map((user) => pick(user, query.fields)));
      return answer(200, answered, { vary: versionHeader, ...links });
    },
  });
}

const otherRoutes = [
  route("POST /users", {
    operationId: "createUser",
    summary: "Create a user",
    body: CreateUserRequest,
    answers: { 201: User },
    answerHeaders: { 201: ["location"] },
    creates: true,
    etag: tagOf,
    handle: async ({ body, once }, { users }) => {
      const user = await users.create(body, once);
      return answer(201, user, { location: `/users/${user.id}` });
    },
  }),
  route("GET /users/search", {
    operationId: "findUsers",
    summary: "Find users whose name or e-mail contains a text",
    query: UsersSearchQuery,
    answers: { 200: z.array(User) },
    goesOn: true,
    handle: async ({ query: { q, limit, cursor }, target }, { users }) => {
      const isMatch = containing(q);
      const conditions = [({ name, email }: User) => isMatch(name) || isMatch(email)];
      const slice = await selectFrom(users, { conditions }, { after: cursor, limit });
      const { records, headers } = fitting(slice, target, ({ id }) => cursorAfter(id));
      return answer(200, records, headers);
    },
  }),
  route("POST /users/search", {
    operationId: "searchUsers",
    summary: "Find users by the values of their fields",
    query: UserSearchPage,
    body: UserSearch,
    answers: { 200: z.array(User) },
    pagedBy: "size",
    handle: async ({ query, body, target }, { users }) => {
      const place = { page: query.page ?? body.page ?? 1, size: query.size ?? body.size ?? 10 };
      const { records, total } = await selectPage(users, selectionOfSearch(body, place));
      const fit = fittingPage(records, { ...place, total }, target, "size");
      return answer(200, fit.records, fit.headers);
    },
  }),
  route("GET /users/{id}", {
    operationId: "getUser",
    summary: "Get a user, in an envelope",
    path,
    answers: { 200: apiResponse(User).meta({ id: "UserResponse" }) },
    failures: { 404: { when: failures[404], dialect: "envelope" } },
    // Of the user alone, as the answers of PUT and PATCH have it.
    etag: ({ data }: { readonly data: User }) => tagOf(data),
    handle: async ({ path: { id } }, { users }) =>
      answer(200, { success: true, data: found(await users.get(id)), error: null }),
  }),
  route("PUT /users/{id}", {
    operationId: "replaceUser",
    summary: "Replace a user",
    path,
    body: CreateUserRequest,
    answers: { 200: User },
    failures,
    etag: tagOf,
    handle: async ({ path: { id }, body, expect }, { users }) =>
      answer(200, found(await users.update(id, body, expect))),
  }),
  route("PATCH /users/{id}", {
    operationId: "updateUser",
    summary: "Change a user; absent and null fields keep their values",
    path,
    body: PatchUserRequest,
    answers: { 200: User },
    failures: { 404: { when: failures[404], dialect: "empty" } },
    etag: tagOf,
    handle: async ({ path: { id }, body: { name, email, age }, expect }, { users }) => {
      const changes = { name: name ?? undefined, email: email ?? undefined, age: age ?? undefined };
      return answer(200, found(await users.update(id, changes, expect)));
    },
  }),
  route("DELETE /users/{id}", {
    operationId: "deleteUser",
    summary: "Delete a user",
    path,
    answers: { 204: z.undefined() },
    failures,
    etag: tagOf,
    handle: async ({ path: { id }, expect }, { users }) => {
      found((await users.remove(id, expect)) || undefined);
      return answer(204);
    },
  }),
];

function found<T>(user: T | undefined): T {
  if (user === undefined) throw new Failure("NotFound", "User not found");
  return user;
}
