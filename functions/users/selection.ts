import { compareText } from "../../lib/domain/text.ts";
import type { OffsetPage } from "../../lib/repositories/records/range-reader.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import type { User, UserField } from "../../lib/validators/user.ts";

export type UserFilter = (user: User) => boolean;

/** Which users, and in which order. */
export interface Selection {
  /** Only the user with this id. */
  readonly id?: number | undefined;
  /** A filter that has to be looked up is looked up while the users are read. */
  readonly filter?: UserFilter | Promise<UserFilter> | undefined;
  /** By id by default. Ties are sorted by id in the same direction. */
  readonly sort?: { readonly field: UserField; readonly isDescending: boolean } | undefined;
}

/**
 * Reads a page of the selected users. A page of all users in id order costs the same anywhere, and a selection by id is
 * one call; any other selection reads every user.
 *
 * @param size all users after the offset by default
 * @throws ApiError `ServiceUnavailable`
 */
export async function readSelection(
  users: UsersRepository,
  { id, filter, sort = { field: "id", isDescending: false } }: Selection,
  {
    offset,
    size = Number.POSITIVE_INFINITY,
  }: { readonly offset: number; readonly size?: number | undefined },
): Promise<OffsetPage<User>> {
  if (Number.isFinite(size) && id === undefined && filter === undefined && sort.field === "id")
    return users.page(offset, size, sort.isDescending ? "descending" : "ascending");
  const candidates = id === undefined ? users.all() : users.get(id).then((user) => (user ? [user] : []));
  const [all, isSelected = () => true] = await Promise.all([candidates, filter]);
  const sign = sort.isDescending ? -1 : 1;
  const selected = all
    .filter(isSelected)
    .sort((a, b) => sign * (compare(a[sort.field], b[sort.field]) || a.id - b.id));
  return { records: selected.slice(offset, offset + size), total: selected.length };
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" ? a - Number(b) : compareText(a, String(b));
}
