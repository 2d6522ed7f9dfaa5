import { ApiError } from "../../lib/domain/errors.ts";
import { type ReadBudget, ReadBudgetExceeded, withAdvice } from "../../lib/domain/read-budget.ts";
import { DEFAULT_ROLE, roleNames } from "../../lib/domain/roles.ts";
import { containsIgnoringCase } from "../../lib/domain/text.ts";
import { byField, TopRecords } from "../../lib/domain/top-records.ts";
import {
  limitPageToResponseSize,
  limitToResponseSize,
  misplacedCursor,
  type PagePosition,
} from "../../lib/http/pagination.ts";
import type { RequestTarget } from "../../lib/http/request.ts";
import type { CursorPage, OffsetPage } from "../../lib/records/range-reader.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { byCount, byId } from "../../lib/validators/cursor.ts";
import { type User, type UserField, userFields } from "../../lib/validators/user.ts";
import { type UserSearch, type UsersQuery, usersV1, usersV2 } from "../../lib/validators/users-list.ts";
import type { UsersListFormat } from "./settings.ts";

/** The size of a page of sorted users by default. 6 MB hold fewer: each has 41 characters or more. */
const MAX_USERS_IN_RESPONSE = 160_000;

/** Ties are sorted by id in the same direction. */
interface UserSort {
  readonly field: UserField;
  readonly isDescending: boolean;
}

interface Selection {
  readonly id?: number | undefined;
  readonly filter?: ((user: User) => boolean) | undefined;
  readonly sort?: UserSort | undefined;
}

type Position = Pick<PagePosition, "page" | "size">;

/** The e-mail addresses of accounts with one of the roles, in lower case, as far as the client may know them. */
type EmailsWithRole = (...roles: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Reads the users that `GET /users` asks for: a page if `page` or `limit` is given without a cursor,
 * otherwise as many as fit into a response.
 *
 * @throws ApiError `ValidationError` for a cursor of a list with pages or in another order
 */
export async function listUsers(
  query: UsersQuery,
  target: RequestTarget,
  users: UsersRepository,
  emailsWithRole: EmailsWithRole,
  budget: ReadBudget,
): Promise<{ records: User[]; headers: Readonly<Record<string, string>> }> {
  const { page, limit, cursor } = query;
  const sort = sortOf(query);
  if (cursor && (page !== undefined || (cursor.afterId === undefined) !== (sort !== undefined)))
    throw misplacedCursor();
  const filter = await filterOf(query, emailsWithRole);
  if (cursor === undefined && (page ?? limit) !== undefined)
    return listPage(users, { filter, sort }, { page: page ?? 1, size: limit ?? 10 }, target, budget);
  if (sort === undefined) {
    const list = await users.list({ after: cursor?.afterId, limit, filter }, budget.forPart());
    return limitToResponseSize(list, target, byId);
  }
  const offset = cursor?.afterCount ?? 0;
  const { records, total } = await readSorted(users, { filter, sort }, { offset, size: limit }, budget);
  const next = offset + records.length < total ? offset + records.length : undefined;
  return limitToResponseSize({ records, next }, target, byCount(offset));
}

async function listPage(
  users: UsersRepository,
  selection: Selection,
  position: Position,
  target: RequestTarget,
  budget: ReadBudget,
) {
  const list = await readSelection(users, selection, position, selection.sort ? budget : budget.forPart());
  return "total" in list
    ? limitPageToResponseSize(list.records, { ...position, total: list.total }, target, "limit")
    : limitToResponseSize(list, target, byId, position);
}

export function searchSelection({ filters, sort }: UserSearch): Selection {
  const fields = userFields.filter((field) => (filters[field] ?? null) !== null);
  const sortField = userFields.find((field) => sort === field || sort === `-${field}`);
  return {
    id: filters.id ?? undefined,
    filter: fields.length > 0 ? (user) => fields.every((field) => user[field] === filters[field]) : undefined,
    sort: sortField && { field: sortField, isDescending: sort !== sortField },
  };
}

function sortOf({ sort, order }: UsersQuery): Selection["sort"] {
  return sort === "name" || sort === "age" ? { field: sort, isDescending: order === "desc" } : undefined;
}

/** A user without an account has the role `user`; no user has an unknown role. */
async function filterOf(
  { name, role }: UsersQuery,
  emailsWithRole: EmailsWithRole,
): Promise<Selection["filter"]> {
  const hasName = name ? containsIgnoringCase(name) : () => true;
  if (role === undefined) return name ? (user) => hasName(user.name) : undefined;
  const known = roleNames.find((each) => each === role);
  if (known === undefined) return () => false;
  const isDefault = known === DEFAULT_ROLE;
  const emails = await emailsWithRole(...(isDefault ? roleNames : [known]));
  return (user) => hasName(user.name) && emails.has(user.email.toLowerCase()) !== isDefault;
}

/**
 * A page of all users in id order costs the same anywhere, a selection by id is one call, and a filtered page
 * in id order reads users until it is full. Any other order reads every user.
 */
async function readSelection(
  users: UsersRepository,
  { id, filter, sort = { field: "id", isDescending: false } }: Selection,
  { page, size }: Position,
  budget: ReadBudget,
): Promise<OffsetPage<User> | CursorPage<User>> {
  const offset = (page - 1) * size;
  const order = sort.isDescending ? "descending" : "ascending";
  if (id !== undefined) {
    const user = await users.get(id);
    const found = user && (filter?.(user) ?? true) ? [user] : [];
    return { records: found.slice(offset, offset + size), total: found.length };
  }
  if (sort.field !== "id") return readSorted(users, { filter, sort }, { offset, size }, budget);
  if (filter === undefined) return users.page(offset, size, order, budget);
  return users.list({ order, filter, offset, limit: size }, budget);
}

/** Reads a page that no cursor can continue. @throws ReadBudgetExceeded also if that cuts the page */
export async function readWholePage(
  users: UsersRepository,
  selection: Selection,
  position: Position,
  budget: ReadBudget,
) {
  const list = await readSelection(users, selection, position, budget);
  const hasMore = "next" in list && list.next !== undefined;
  if (hasMore && list.records.length < position.size)
    throw new ReadBudgetExceeded("Use GET /users/search, which continues with a cursor");
  return { ...list, hasMore };
}

/** Reads all users, for a page of them in another order than that of the ids. */
async function readSorted(
  users: UsersRepository,
  { filter, sort: { field, isDescending } }: Pick<Selection, "filter"> & { readonly sort: UserSort },
  { offset, size = MAX_USERS_IN_RESPONSE }: { readonly offset: number; readonly size?: number | undefined },
  budget: ReadBudget,
): Promise<OffsetPage<User>> {
  const top = new TopRecords<User>(byField(field, isDescending), offset + size);
  await withAdvice("List the users in the order of their ids instead, without `sort`", () =>
    users.forEach(
      ["name", "email", "age"],
      (user) => {
        if (filter?.(user) ?? true) top.add(user);
      },
      budget,
    ),
  );
  return { records: top.sorted().slice(offset), total: top.total };
}

/**
 * @param header the value of the version header (specification, "Header style of user records")
 * @returns a function that wraps users in the version's envelope, or returns them as they are
 * @throws ApiError `InvalidArgument` for an unsupported version
 */
export function envelopeOf(header: string | undefined, defaultFormat: UsersListFormat) {
  if (header === undefined)
    return defaultFormat === "versioned" ? usersV1 : (users: Partial<User>[]) => users;
  if (header === "1.0") return usersV1;
  if (header === "2.0") return usersV2;
  throw unsupportedVersion();
}

export function unsupportedVersion(): ApiError {
  return new ApiError("InvalidArgument", "Unsupported API version");
}

/** The user with only some fields, all by default, in their usual order. */
export function pickFields(user: User, fields: readonly UserField[] | undefined): Partial<User> {
  if (fields === undefined) return user;
  return Object.fromEntries(
    userFields.flatMap((field) => (fields.includes(field) ? [[field, user[field]]] : [])),
  );
}
