import { ApiError, validationError } from "../../lib/domain/errors.ts";
import { containsIgnoringCase } from "../../lib/domain/text.ts";
import { limitPageToResponseSize, limitToResponseSize } from "../../lib/http/pagination.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { cursorAfter, cursorPast } from "../../lib/validators/cursor.ts";
import { type User, type UserField, userFields } from "../../lib/validators/user.ts";
import {
  type UserSearch,
  type UsersListForm,
  type UsersQuery,
  usersV1,
  usersV2,
} from "../../lib/validators/users-list.ts";
import { type Condition, type Selection, selectFrom, selectPage } from "./selection.ts";

/** Which page of a list, from 1, and how many records a page has. */
interface Place {
  readonly page: number;
  readonly size: number;
}

/** What is asked of the accounts about user records. */
export interface RolesByEmail {
  /** The e-mail addresses, in lower case, of the accounts that have a role. */
  emailsWithRole(role: "admin"): Promise<ReadonlySet<string>>;
}

/**
 * Reads what `GET /users` asks for: a page where `page` or `limit` is given, else all of it; as far as one answer
 * holds it.
 *
 * @param query the valid query
 * @param target path and query of the request
 * @param roles asked when the users of a role are wanted
 * @returns the users, and the `Link` header to what comes before and after them
 * @throws ApiError `ValidationError` for a cursor of a list that has pages or another order
 */
export async function readUsers(
  query: UsersQuery,
  target: string,
  users: UsersRepository,
  roles: RolesByEmail,
): Promise<{ records: User[]; headers: Readonly<Record<string, string>> }> {
  const { page, limit, cursor } = query;
  const selection = selectionOf(query, roles);
  const isById = selection.sort === undefined;
  if (cursor === undefined && (page !== undefined || limit !== undefined)) {
    const place = { page: page ?? 1, size: limit ?? 10 };
    const { records, total } = await selectPage(users, { ...selection, slice: sliceOf(place) });
    return limitPageToResponseSize(records, { ...place, total }, target, "limit");
  }
  if (cursor && (page !== undefined || (isById ? cursor.after : cursor.past) === undefined)) {
    const message = "It is of a list in another order, or not of one with pages";
    throw validationError([{ field: "query.cursor", message, type: "invalid_value" }]);
  }
  if (isById) {
    const slice = await selectFrom(users, selection, { after: cursor?.after, limit });
    return limitToResponseSize(slice, target, ({ id }) => cursorAfter(id));
  }
  const slice = { offset: cursor?.past ?? 0, size: limit ?? Number.POSITIVE_INFINITY };
  const { records, total } = await selectPage(users, { ...selection, slice });
  const hasMore = slice.offset + records.length < total;
  return limitToResponseSize({ records, hasMore }, target, (_, count) => cursorPast(slice.offset + count));
}

function selectionOf(query: UsersQuery, roles: RolesByEmail): Selection {
  const { name, role, sort, order } = query;
  const conditions: Selection["conditions"][number][] = [];
  if (name) {
    const hasName = containsIgnoringCase(name);
    conditions.push((user) => hasName(user.name));
  }
  if (role !== undefined) conditions.push(havingRole(role, roles));
  return {
    conditions,
    sort: sort === "name" || sort === "age" ? { field: sort, isDescending: order === "desc" } : undefined,
  };
}

/**
 * What `POST /users/search` asks for.
 *
 * @param search the valid body
 * @param place which page
 */
export function selectionOfSearch({ filters, sort }: UserSearch, place: Place): Selection {
  const wanted = userFields.filter((field) => (filters[field] ?? null) !== null);
  const field = userFields.find((each) => sort === each || sort === `-${each}`);
  return {
    id: filters.id ?? undefined,
    conditions: wanted.map((each) => (user) => user[each] === filters[each]),
    sort: field && { field, isDescending: sort !== field },
    slice: sliceOf(place),
  };
}

/**
 * The version that the list is answered in (specification, "Header style").
 *
 * @param header the header's value, if it was sent
 * @param form what the deployment answers without one
 * @returns what puts users into the version's envelope, or leaves them as they are
 * @throws ApiError `InvalidArgument` when there is no such version
 */
export function envelopeOf(header: string | undefined, form: UsersListForm) {
  if (header === undefined) return form === "versioned" ? usersV1 : (users: Partial<User>[]) => users;
  if (header === "1.0") return usersV1;
  if (header === "2.0") return usersV2;
  throw unsupportedVersion();
}

/** The failure of a request for a version that there is not. */
export function unsupportedVersion(): ApiError {
  return new ApiError("InvalidArgument", "Unsupported API version");
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
async function havingRole(role: string, roles: RolesByEmail): Promise<Condition> {
  if (role !== "admin" && role !== "user") return () => false;
  const admins = await roles.emailsWithRole("admin");
  return ({ email }) => admins.has(email.toLowerCase()) === (role === "admin");
}

function sliceOf({ page, size }: Place) {
  return { offset: (page - 1) * size, size };
}
