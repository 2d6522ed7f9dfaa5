import * as z from "zod";
import { ListQuery, positionParameter } from "./cursor.ts";
import { integerParameter, listParameter, textParameter } from "./parameter.ts";
import { text } from "./text.ts";
import { User, userFields } from "./user.ts";

/** The bodies of `GET /users` without a version header, one of which a deployment chooses. */
export const usersListFormats = ["records", "versioned"] as const;
export type UsersListFormat = (typeof usersListFormats)[number];

/** The default name of the request header that selects the version of the list. */
export const DEFAULT_VERSION_HEADER = "api-version";

const field = z.enum(userFields);
const page = z.int().min(1);
const size = z.int().min(1).max(100);

/** The query of `GET /users` (docs/decisions.md). */
export const UsersQuery = z.object({
  name: textParameter(z.string().optional()).describe("Only users whose name contains it, ignoring case"),
  role: textParameter(z.string().optional()).describe(
    "Only users whose e-mail belongs to an account of this role",
  ),
  sort: textParameter(z.string().optional()).describe(
    "`name` or `age`; any other value leaves the order by id",
  ),
  order: textParameter(z.enum(["asc", "desc"]).default("asc")).describe("Applies only with `sort`"),
  page: integerParameter(page.optional()).describe("1 by default if `limit` is given"),
  limit: integerParameter(size.optional()).describe("10 by default if `page` is given"),
  cursor: positionParameter,
  fields: listParameter(z.array(field).optional()).describe("The fields to return; all by default"),
});
export type UsersQuery = z.output<typeof UsersQuery>;

export const UsersSearchQuery = z.object({
  ...ListQuery.shape,
  q: textParameter(text({ min: 1 })).describe("The text to find in name or e-mail, ignoring case"),
});

/** The page of a search, as links give it. It overrides the body. */
export const UserSearchPage = z.object({
  page: integerParameter(page.optional()).describe("Overrides the page in the body"),
  size: integerParameter(size.optional()).describe("Overrides the size in the body"),
});

/** SearchQuery (specification, "Item and paged response") over users. Null means absent. */
export const UserSearch = z
  .object({
    filters: z
      .strictObject(
        {
          id: z.int().nullish(),
          name: z.string().nullish(),
          email: z.string().nullish(),
          age: z.int().nullish(),
        },
        {
          error: ({ code }) =>
            code === "unrecognized_keys" ? `May contain only ${userFields.join(", ")}` : undefined,
        },
      )
      .describe("A user matches if it equals every field given"),
    sort: z
      .enum(["id", "-id", "name", "-name", "email", "-email", "age", "-age"])
      .nullish()
      .describe("A field name; with a leading minus in descending order"),
    page: page.nullish().meta({ default: 1 }),
    size: size.nullish().meta({ default: 10 }),
  })
  .meta({ id: "UserSearch" });
export type UserSearch = z.output<typeof UserSearch>;

/** A user in a list, reduced to the requested fields. */
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

/** Wraps users in the envelope of version 1.0. */
export function usersV1(users: z.input<typeof ListedUser>[]): z.input<typeof UsersV1> {
  return { version: "1.0", users };
}

/** Wraps users in the envelope of version 2.0. */
export function usersV2(users: z.input<typeof ListedUser>[]): z.input<typeof UsersV2> {
  return { version: "2.0", users, metadata: { total: users.length } };
}
