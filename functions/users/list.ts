import type { ReadBudget } from "../../lib/domain/read-budget.ts";
import { containsIgnoringCase } from "../../lib/domain/text.ts";
import { limitPageToResponseSize, limitToResponseSize, misplacedCursor } from "../../lib/http/pagination.ts";
import type { RequestTarget } from "../../lib/http/request.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { byCount, byId } from "../../lib/validators/cursor.ts";
import { type User, userFields } from "../../lib/validators/user.ts";
import type { UserSearch, UsersQuery } from "../../lib/validators/users-list.ts";
import { readSelection, readSorted, type Selection, type UserFilter } from "./selection.ts";

/** Looks up the roles of accounts. */
export interface RolesByEmail {
  /** The e-mail addresses, in lower case, of the accounts with a role. */
  emailsWithRole(role: "admin"): Promise<ReadonlySet<string>>;
}

/** What a list of users reads from, and how much. */
interface UsersSource {
  readonly users: UsersRepository;
  readonly roles: RolesByEmail;
  readonly budget: ReadBudget;
}

/**
 * Reads the users that `GET /users` asks for: a page if `page` or `limit` is given without a cursor, otherwise as many
 * as fit into a response.
 *
 * @returns the users and the `Link` header
 * @throws ApiError `ValidationError` for a cursor of a list with pages or in another order
 */
export async function listUsers(
  query: UsersQuery,
  target: RequestTarget,
  { users, roles, budget }: UsersSource,
): Promise<{ records: User[]; headers: Readonly<Record<string, string>> }> {
  const { page, limit, cursor } = query;
  const sort = sortOf(query);
  // Before the roles are looked up: nobody would handle a failure of that.
  if (cursor && (page !== undefined || (sort ? cursor.afterCount : cursor.afterId) === undefined))
    throw misplacedCursor();
  const filter = filterOf(query, roles);
  if (cursor === undefined && (page !== undefined || limit !== undefined)) {
    const position = { page: page ?? 1, size: limit ?? 10 };
    return readUsersPage(users, { filter, sort }, position, target, sort ? budget : budget.forPart());
  }
  if (sort === undefined) {
    const query = { after: cursor?.afterId, limit, filter: await filter };
    return limitToResponseSize(await users.list(query, budget.forPart()), target, byId);
  }
  const offset = cursor?.afterCount ?? 0;
  const { records, total } = await readSorted(users, { filter, sort }, { offset, size: limit }, budget);
  const next = offset + records.length < total ? offset + records.length : undefined;
  return limitToResponseSize({ records, next }, target, byCount(offset));
}

async function readUsersPage(
  users: UsersRepository,
  selection: Selection,
  position: { readonly page: number; readonly size: number },
  target: RequestTarget,
  budget: ReadBudget,
) {
  const list = await readSelection(users, selection, toOffset(position), budget);
  return "total" in list
    ? limitPageToResponseSize(list.records, { ...position, total: list.total }, target, "limit")
    : limitToResponseSize(list, target, byId, position);
}

/** The selection of `POST /users/search`. */
export function searchSelection({ filters, sort }: UserSearch): Selection {
  const fields = userFields.filter((field) => (filters[field] ?? null) !== null);
  const sortField = userFields.find((field) => sort === field || sort === `-${field}`);
  return {
    id: filters.id ?? undefined,
    filter: fields.length > 0 ? (user) => fields.every((field) => user[field] === filters[field]) : undefined,
    sort: sortField && { field: sortField, isDescending: sort !== sortField },
  };
}

/** The offset of a page and its size. */
export function toOffset({ page, size }: { readonly page: number; readonly size: number }) {
  return { offset: (page - 1) * size, size };
}

function sortOf({ sort, order }: UsersQuery): Selection["sort"] {
  return sort === "name" || sort === "age" ? { field: sort, isDescending: order === "desc" } : undefined;
}

function filterOf(query: UsersQuery, roles: RolesByEmail): Selection["filter"] {
  return query.name || query.role !== undefined ? matching(query, roles) : undefined;
}

/** A user without an account has the role `user`; no user has an unknown role. */
async function matching({ name, role }: UsersQuery, roles: RolesByEmail): Promise<UserFilter> {
  const hasName = name ? containsIgnoringCase(name) : () => true;
  if (role === undefined) return (user) => hasName(user.name);
  if (role !== "admin" && role !== "user") return () => false;
  const admins = await roles.emailsWithRole("admin");
  return (user) => hasName(user.name) && admins.has(user.email.toLowerCase()) === (role === "admin");
}
