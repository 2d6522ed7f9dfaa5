import { Failure } from "../../lib/failure.ts";
import { type User, type UserField, userFields } from "../../lib/schemas/user.ts";
import {
  type UserSearch,
  type UsersListForm,
  type UsersQuery,
  usersV1,
  usersV2,
} from "../../lib/schemas/users-list.ts";
import { containing } from "../../lib/text.ts";
import type { Condition, Selection } from "./selection.ts";

/** What is asked of the accounts about user records. */
export interface RolesByEmail {
  /** The e-mail addresses, in lower case, of the accounts that have a role. */
  emailsWithRole(role: "admin"): Promise<ReadonlySet<string>>;
}

/**
 * What `GET /users` asks for.
 *
 * @param query the valid query
 * @param accounts asked when the users of a role are wanted
 */
export function selectionOf(query: UsersQuery, accounts: RolesByEmail): Selection {
  const { name, role, sort, order, page, limit } = query;
  const conditions: Selection["conditions"][number][] = [];
  if (name) {
    const hasName = containing(name);
    conditions.push((user) => hasName(user.name));
  }
  if (role !== undefined) conditions.push(havingRole(role, accounts));
  return {
    conditions,
    sort: sort === "name" || sort === "age" ? { field: sort, isDescending: order === "desc" } : undefined,
    slice: page === undefined && limit === undefined ? undefined : sliceOf(page ?? 1, limit ?? 10),
  };
}

/**
 * What `POST /users/search` asks for.
 *
 * @param search the valid body
 */
export function selectionOfSearch({ filters, sort, page, size }: UserSearch): Selection {
  const wanted = userFields.filter((field) => (filters[field] ?? null) !== null);
  const field = userFields.find((each) => sort === each || sort === `-${each}`);
  return {
    id: filters.id ?? undefined,
    conditions: wanted.map((each) => (user) => user[each] === filters[each]),
    sort: field && { field, isDescending: sort !== field },
    slice: sliceOf(page ?? 1, size ?? 10),
  };
}

/**
 * The version that the list is answered in (specification, "Header style").
 *
 * @param header the header's value, if it was sent
 * @param form what the deployment answers without one
 * @returns what puts users into the version's envelope, or leaves them as they are
 * @throws Failure `InvalidArgument` when there is no such version
 */
export function envelopeOf(header: string | undefined, form: UsersListForm) {
  if (header === undefined) return form === "versioned" ? usersV1 : (users: Partial<User>[]) => users;
  if (header === "1.0") return usersV1;
  if (header === "2.0") return usersV2;
  throw new Failure("InvalidArgument", "Unsupported API version");
}

/**
 * Cuts a user down to some fields, in a user's own order.
 *
 * @param fields which; all of them when not given
 */
export function pick(user: User, fields: readonly UserField[] | undefined): Partial<User> {
  if (fields === undefined) return user;
  return Object.fromEntries(
    userFields.flatMap((each) => (fields.includes(each) ? [[each, user[each]]] : [])),
  );
}

/** A user without an account counts as `user`; nobody has a role that there is not. */
async function havingRole(role: string, accounts: RolesByEmail): Promise<Condition> {
  if (role !== "admin" && role !== "user") return () => false;
  const admins = await accounts.emailsWithRole("admin");
  return ({ email }) => admins.has(email.toLowerCase()) === (role === "admin");
}

function sliceOf(page: number, size: number) {
  return { offset: (page - 1) * size, size };
}
