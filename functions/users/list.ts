import { validationError } from "../../lib/domain/errors.ts";
import { containsIgnoringCase } from "../../lib/domain/text.ts";
import { limitPageToResponseSize, limitToResponseSize } from "../../lib/http/pagination.ts";
import type { RequestTarget } from "../../lib/http/request.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import { cursorAfterCount, cursorAfterId } from "../../lib/validators/cursor.ts";
import { type User, userFields } from "../../lib/validators/user.ts";
import type { UserSearch, UsersQuery } from "../../lib/validators/users-list.ts";
import { readSelection, type Selection, type UserFilter } from "./selection.ts";

/** Looks up the roles of accounts. */
export interface RolesByEmail {
  /** The e-mail addresses, in lower case, of the accounts with a role. */
  emailsWithRole(role: "admin"): Promise<ReadonlySet<string>>;
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
  users: UsersRepository,
  roles: RolesByEmail,
): Promise<{ records: User[]; headers: Readonly<Record<string, string>> }> {
  const { page, limit, cursor } = query;
  const selection = selectionOf(query, roles);
  if (cursor === undefined && (page !== undefined || limit !== undefined)) {
    const position = { page: page ?? 1, size: limit ?? 10 };
    const { records, total } = await readSelection(users, selection, toOffset(position));
    return limitPageToResponseSize(records, { ...position, total }, target, "limit");
  }
  const isById = selection.sort === undefined;
  if (cursor && (page !== undefined || (isById ? cursor.afterId : cursor.afterCount) === undefined)) {
    const message = "Belongs to a list in another order, or is given together with `page`";
    throw validationError([{ field: "query.cursor", message, type: "invalid_value" }]);
  }
  if (isById) {
    const filter = await selection.filter;
    const list = await users.list({ after: cursor?.afterId, limit, filter });
    return limitToResponseSize(list, target, cursorAfterId);
  }
  const offset = cursor?.afterCount ?? 0;
  const { records, total } = await readSelection(users, selection, { offset, size: limit });
  const hasMore = offset + records.length < total;
  return limitToResponseSize({ records, hasMore }, target, (_, count) => cursorAfterCount(offset + count));
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

function selectionOf({ name, role, sort, order }: UsersQuery, roles: RolesByEmail): Selection {
  const hasName = name ? containsIgnoringCase(name) : undefined;
  const hasRole = role === undefined ? undefined : roleFilter(role, roles);
  return {
    filter: hasName || hasRole ? bothFilters((user) => hasName?.(user.name) ?? true, hasRole) : undefined,
    sort: sort === "name" || sort === "age" ? { field: sort, isDescending: order === "desc" } : undefined,
  };
}

async function bothFilters(first: UserFilter, second: Promise<UserFilter> | undefined): Promise<UserFilter> {
  const resolved = await second;
  return (user) => first(user) && (resolved?.(user) ?? true);
}

/** A user without an account has the role `user`; no user has an unknown role. */
async function roleFilter(role: string, roles: RolesByEmail): Promise<UserFilter> {
  if (role !== "admin" && role !== "user") return () => false;
  const admins = await roles.emailsWithRole("admin");
  return ({ email }) => admins.has(email.toLowerCase()) === (role === "admin");
}
