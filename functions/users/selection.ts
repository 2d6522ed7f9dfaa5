import { compareText } from "../../lib/domain/text.ts";
import type { CursorPage, OffsetPage, RangeQuery } from "../../lib/repositories/records/range-reader.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import type { User, UserField } from "../../lib/validators/user.ts";

export type Condition = (user: User) => boolean;

/** Which users, in which order, and which part of them. */
export interface Selection {
  /** All of them have to hold. One that has to be looked up is looked up while the users are read. */
  readonly conditions: readonly (Condition | Promise<Condition>)[];
  /** Only the user with this id comes into question. */
  readonly id?: number | undefined;
  /** By id when not given. */
  readonly sort?: { readonly field: UserField; readonly isDescending: boolean } | undefined;
  /** Everything when not given. */
  readonly slice?: { readonly offset: number; readonly size: number } | undefined;
}

/**
 * Reads the users of a selection. A part of all users in id order comes by arithmetic and costs the same
 * wherever it lies, and one with an id is one call; anything else reads every user.
 *
 * @param users the repository
 * @returns the users, and how many there are in all parts; ties in the order break by id, in the same direction
 * @throws ApiError `ServiceUnavailable`
 */
export async function selectPage(
  users: UsersRepository,
  { conditions, id, sort = { field: "id", isDescending: false }, slice }: Selection,
): Promise<OffsetPage<User>> {
  if (slice && id === undefined && conditions.length === 0 && sort.field === "id") {
    const order = sort.isDescending ? "descending" : "ascending";
    return users.page(slice.offset, slice.size, order);
  }
  const [all, ...resolved] = await Promise.all([
    id === undefined ? users.all() : oneOrNone(users.get(id)),
    ...conditions,
  ]);
  const kept = all.filter((user) => resolved.every((condition) => condition(user)));
  const sign = sort.isDescending ? -1 : 1;
  kept.sort((a, b) => sign * (compare(a[sort.field], b[sort.field]) || a.id - b.id));
  const records = slice ? kept.slice(slice.offset, slice.offset + slice.size) : kept;
  return { records, total: kept.length };
}

/**
 * Reads a part of the users of a selection, in id order and whatever its own slice is; no more than one answer
 * holds. One call more in sequence where a condition has to be looked up.
 *
 * @param place where to begin and how many to take
 */
export async function selectFrom(
  users: UsersRepository,
  { conditions }: Selection,
  place: Omit<RangeQuery<User>, "filter">,
): Promise<CursorPage<User>> {
  const resolved = await Promise.all(conditions);
  if (resolved.length === 0) return users.list(place);
  return users.list({ ...place, filter: (user) => resolved.every((condition) => condition(user)) });
}

async function oneOrNone(user: Promise<User | undefined>): Promise<User[]> {
  return [await user].filter((each) => each !== undefined);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" ? a - Number(b) : compareText(a, String(b));
}
