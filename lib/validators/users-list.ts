import * as z from "zod/mini";
import { ListQuery, positionParameter } from "./cursor.ts";
import { integer } from "./integer.ts";
import { named, namedObject, withMetadata } from "./metadata.ts";
import { filter, integerParameter, listParameter, textParameter } from "./parameter.ts";
import { text } from "./text.ts";
import { User, userFields } from "./user.ts";

const field = z.enum(userFields);
const page = integer({ min: 1 });
const size = integer({ min: 1, max: 100 });

export const UsersQuery = z.object({
  name: textParameter(z.optional(z.string()), "Only users whose name contains it, ignoring case"),
  role: filter(
    textParameter(z.optional(z.string()), "Only users with the e-mail of an account of this role", "user"),
  ),
  sort: textParameter(z.optional(z.string()), "`name` or `age`; any other value leaves the order by id"),
  order: textParameter(z._default(z.enum(["asc", "desc"]), "asc"), "Applies only with `sort`"),
  page: integerParameter(z.optional(page), "1 by default if `limit` is given"),
  limit: integerParameter(z.optional(size), "10 by default if `page` is given"),
  cursor: positionParameter,
  fields: listParameter(z.optional(z.array(field)), "The fields to return; all by default"),
});
export type UsersQuery = z.output<typeof UsersQuery>;

export const UsersSearchQuery = z.object({
  ...ListQuery.shape,
  q: textParameter(text({ min: 1 }), "The text to find in name or e-mail, ignoring case"),
});

/** The page of a search, as links give it. It overrides the body. */
export const UserSearchPage = z.object({
  page: integerParameter(z.optional(page), "Overrides the page in the body"),
  size: integerParameter(z.optional(size), "Overrides the size in the body"),
});

/** SearchQuery (specification, "Item and paged response") over users. Null means absent. */
export const UserSearch = namedObject("UserSearch", {
  filters: named(
    "UserSearchFilters",
    z.strictObject(
      {
        id: z.nullish(z.int()),
        name: z.nullish(z.string()),
        email: z.nullish(z.string()),
        age: z.nullish(z.int()),
      },
      {
        error: ({ code }) =>
          code === "unrecognized_keys" ? `May contain only ${userFields.join(", ")}` : undefined,
      },
    ),
  ),
  sort: withMetadata(z.nullish(z.enum(["id", "-id", "name", "-name", "email", "-email", "age", "-age"])), {
    description: "A field name; a leading minus sorts in descending order",
  }),
  page: withMetadata(z.nullish(page), { default: 1 }),
  size: withMetadata(z.nullish(size), { default: 10 }),
});
export type UserSearch = z.output<typeof UserSearch>;

export const ListedUser = named("ListedUser", z.partial(User));

export const UsersV1 = namedObject("UsersV1", { version: z.literal("1.0"), users: z.array(ListedUser) });

export const UsersV2 = namedObject("UsersV2", {
  version: z.literal("2.0"),
  users: z.array(ListedUser),
  metadata: namedObject("UsersMetadata", { total: integer({ min: 0 }) }),
});

export function usersV1(users: z.input<typeof ListedUser>[]): z.input<typeof UsersV1> {
  return { version: "1.0", users };
}

export function usersV2(users: z.input<typeof ListedUser>[]): z.input<typeof UsersV2> {
  return { version: "2.0", users, metadata: { total: users.length } };
}
