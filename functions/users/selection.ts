import { type ReadBudget, ReadBudgetExceeded, withAdvice } from "../../lib/domain/read-budget.ts";
import { compareText } from "../../lib/domain/text.ts";
import { TopRecords } from "../../lib/domain/top-records.ts";
import {
  type CursorPage,
  type OffsetPage,
  withoutFirst,
} from "../../lib/repositories/records/range-reader.ts";
import type { UsersRepository } from "../../lib/repositories/users.ts";
import type { User, UserField } from "../../lib/validators/user.ts";

/** A response of 6 MB holds fewer: `{"id":1,"name":"x","email":"@","age":0}` has 41 characters. */
const MAX_USERS_IN_RESPONSE = 160_000;

export type UserFilter = (user: User) => boolean;

/** Ties are sorted by id in the same direction. */
interface UserSort {
  readonly field: UserField;
  readonly isDescending: boolean;
}

/** Which users, and in which order. */
export interface Selection {
  /** Only the user with this id. */
  readonly id?: number | undefined;
  /** A filter that has to be looked up is looked up while the users are read. */
  readonly filter?: UserFilter | Promise<UserFilter> | undefined;
  /** By id by default. */
  readonly sort?: UserSort | undefined;
}

/**
 * Reads a page of the selected users.
 *
 * A page of all users in id order costs the same anywhere, a selection by id is one call, and a filtered page in id
 * order reads users until it is full. Any other order reads every user.
 *
 * @returns the page; with the total if it is known
 * @throws ReadBudgetExceeded
 * @throws ApiError `ServiceUnavailable`
 */
export async function readSelection(
  users: UsersRepository,
  { id, filter, sort = { field: "id", isDescending: false } }: Selection,
  { offset, size }: { readonly offset: number; readonly size: number },
  budget: ReadBudget,
): Promise<OffsetPage<User> | CursorPage<User>> {
  const order = sort.isDescending ? "descending" : "ascending";
  if (id !== undefined) {
    const [user, isSelected = () => true] = await Promise.all([users.get(id), filter]);
    const found = user && isSelected(user) ? [user] : [];
    return { records: found.slice(offset, offset + size), total: found.length };
  }
  if (sort.field !== "id") return readSorted(users, { filter, sort }, { offset, size }, budget);
  if (filter === undefined) return users.page(offset, size, order, budget);
  const query = {
    order,
    limit: offset + size,
    filter: await filter,
    maxBytes: Number.POSITIVE_INFINITY,
  } as const;
  return withoutFirst(offset, await users.list(query, budget));
}

/**
 * Reads a page that no cursor can continue.
 *
 * @returns the page; with the total, or whether there is a further page
 * @throws ReadBudgetExceeded also if it ended the page before it was full
 */
export async function readWholePage(
  users: UsersRepository,
  selection: Selection,
  position: { readonly offset: number; readonly size: number },
  budget: ReadBudget,
): Promise<OffsetPage<User> | { readonly records: readonly User[]; readonly hasMore: boolean }> {
  const list = await readSelection(users, selection, position, budget);
  if ("total" in list) return list;
  const hasMore = list.next !== undefined;
  if (hasMore && list.records.length < position.size)
    throw new ReadBudgetExceeded("Use GET /users/search, whose parts continue with a cursor");
  return { records: list.records, hasMore };
}

/**
 * Reads a page of the users sorted by a field, for which it reads all of them.
 *
 * @param size by default at least as many as a response can hold
 * @throws ReadBudgetExceeded
 */
export async function readSorted(
  users: UsersRepository,
  { filter, sort: { field, isDescending } }: Pick<Selection, "filter"> & { readonly sort: UserSort },
  { offset, size = MAX_USERS_IN_RESPONSE }: { readonly offset: number; readonly size?: number | undefined },
  budget: ReadBudget,
): Promise<OffsetPage<User>> {
  const isSelected = (await filter) ?? (() => true);
  const sign = isDescending ? -1 : 1;
  const top = new TopRecords<User>(
    (a, b) => sign * (compare(a[field], b[field]) || a.id - b.id),
    offset + size,
  );
  await withAdvice("List the users in the order of their ids instead, without `sort`", () =>
    users.forEach(
      ["name", "email", "age"],
      (user) => {
        if (isSelected(user)) top.add(user);
      },
      budget,
    ),
  );
  return { records: top.sorted().slice(offset), total: top.total };
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" ? a - Number(b) : compareText(a, String(b));
}
