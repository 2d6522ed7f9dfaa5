import * as z from "zod";
import { ListQuery, placeParameter } from "./cursor.ts";
import { integerParameter, listParameter, textParameter } from "./parameter.ts";
import { text } from "./text.ts";
import { User, userFields } from "./user.ts";

/** What a deployment can answer to `GET /users` where the request names no version. */
export const usersListForms = ["records", "versioned"] as const;
export type UsersListForm = (typeof usersListForms)[number];

/** The request header that names the version of the list, where the deployment says nothing else. */
export const VERSION_HEADER = "api-version";

const field = z.enum(userFields);
const page = z.int().min(1);
const size = z.int().min(1).max(100);

/** How `GET /users` is filtered, ordered, paged and cut down (docs/decisions.md). */
export const UsersQuery = z.object({
  name: textParameter(z.string().optional()).describe("Keeps users whose name contains it, in any case"),
  role: textParameter(z.string().optional()).describe("Keeps users whose e-mail belongs to such an account"),
  sort: textParameter(z.string().optional()).describe("name or age; anything else leaves the order by id"),
  order: textParameter(z.enum(["asc", "desc"]).default("asc")).describe("Counts with sort only"),
  page: integerParameter(page.optional()).describe("1 when only limit is given"),
  limit: integerParameter(size.optional()).describe("10 when only page is given"),
  cursor: placeParameter,
  fields: listParameter(z.array(field).optional()).describe("The fields to answer; all of them unless told"),
});
export type UsersQuery = z.output<typeof UsersQuery>;

export const UsersSearchQuery = z.object({
  ...ListQuery.shape,
  q: textParameter(text({ min: 1 })).describe("Keeps users whose name or e-mail contains it, in any case"),
});

/** Which page of a search, where a link says it; it takes the place of what the body says. */
export const UserSearchPage = z.object({
  page: integerParameter(page.optional()).describe("Takes the place of the page in the body"),
  size: integerParameter(size.optional()).describe("Takes the place of the size in the body"),
});

/** SearchQuery (specification, "Item and paged response") over users. Null counts as absent. */
export const UserSearch = z
  .object({
    filters: z
      .strictObject({
        id: z.int().nullish(),
        name: z.string().nullish(),
        email: z.string().nullish(),
        age: z.int().nullish(),
      })
      .describe("A user has to equal it in every field given"),
    sort: z
      .enum(["id", "-id", "name", "-name", "email", "-email", "age", "-age"])
      .nullish()
      .describe("A field; descending after a minus sign"),
    page: page.nullish().meta({ default: 1 }),
    size: size.nullish().meta({ default: 10 }),
  })
  .meta({ id: "UserSearch" });
export type UserSearch = z.output<typeof UserSearch>;

/** A user in a list, cut down to some fields where the request names them. */
export const ListedUser = z.union([User, User.partial()]);

/** The users list of version 1.0 (specification, "Versioning"). */
export const UsersV1 = z
  .object({ version: z.literal("1.0"), users: z.array(ListedUser) })
  .meta({ id: "UsersV1" });

/** The users list of version 2.0: `total` counts the users in it. */
export const UsersV2 = z
  .object({
    version: z.literal("2.0"),
    users: z.array(ListedUser),
    metadata: z.object({ total: z.int().min(0) }),
  })
  .meta({ id: "UsersV2" });

/**
 * Puts users into the envelope of version 1.0.
 *
 * @param users the users that are answered
 */
export function usersV1(users: z.input<typeof ListedUser>[]): z.input<typeof UsersV1> {
  return { version: "1.0", users };
}

/**
 * Puts users into the envelope of version 2.0.
 *
 * @param users the users that are answered
 */
export function usersV2(users: z.input<typeof ListedUser>[]): z.input<typeof UsersV2> {
  return { version: "2.0", users, metadata: { total: users.length } };
}
