import { blockOf, occupiedBlocks, type Run } from "./books.ts";
import type { Ids } from "./ids.ts";
import { inParallel } from "./parallel.ts";
import type { Item } from "./query.ts";
import { itemBytes } from "./size.ts";

/** More than one answer of the API can hold, and little enough to be held in memory several times. */
const ENOUGH_BYTES = 8 * 1024 * 1024;

/** Which part of a list is wanted. */
export interface SliceOf<T> {
  /** The id of the last record before it; from the beginning unless told. */
  readonly after?: number | undefined;
  /** How many records at most; as many as one answer can hold unless told. */
  readonly limit?: number | undefined;
  /** Asked of each record: only those for which it is true count. */
  readonly keep?: ((record: T) => boolean) | undefined;
}

/** A part of a list, in its order. */
export interface Slice<T> {
  readonly records: readonly T[];
  /** Whether the list goes on after the last of them. */
  readonly hasMore: boolean;
}

/** What was read of a block, and whether it was left before its end. */
interface Part<T> {
  readonly records: readonly T[];
  readonly isLeft: boolean;
}

/** What a block's items are read by: one answer of a query after the other. */
export type Pages = (run: Run) => AsyncGenerator<readonly Item[]>;

/**
 * Reads a list in id order from a place on, and no further than is wanted. What was passed over is not read.
 *
 * Without a limit it costs what the whole list costs, block by block in parallel, until a few megabytes have come
 * together; with one, the blocks are read one after the other.
 *
 * @param ids the table's ids
 * @param pages reads a run of ids
 * @param decode makes a record of an item
 */
export async function readSlice<T>(
  ids: Ids,
  { after = 0, limit, keep = () => true }: SliceOf<T>,
  pages: Pages,
  decode: (item: Item) => T,
): Promise<Slice<T>> {
  const first = blockOf(after + 1);
  const gauges = new Map<number, { count: number; bytes: number }>();
  const isEnough = (block: number): boolean => {
    let [count, bytes] = [0, 0];
    for (const [other, gauge] of gauges) {
      if (other > block) continue;
      count += gauge.count;
      bytes += gauge.bytes;
    }
    return bytes >= ENOUGH_BYTES || (limit !== undefined && count > limit);
  };
  const read = async (block: number): Promise<Part<T>> => {
    const gauge = { count: 0, bytes: 0 };
    gauges.set(block, gauge);
    const records: T[] = [];
    if (isEnough(block)) return { records, isLeft: true };
    const run = { block, from: block === first ? after + 1 : 1, to: Number.MAX_SAFE_INTEGER };
    for await (const items of pages(run)) {
      for (const item of items) {
        const record = decode(item);
        if (!keep(record)) continue;
        records.push(record);
        gauge.count += 1;
        gauge.bytes += itemBytes(item);
      }
      if (isEnough(block)) return { records, isLeft: true };
    }
    return { records, isLeft: false };
  };

  const [books, start] = await Promise.all([ids.books(), read(first)]);
  const others = occupiedBlocks(books).filter((block) => block > first);
  const parts = [start];
  if (limit === undefined) parts.push(...(await inParallel(others, read)));
  else for (const block of others) if (!isEnough(block)) parts.push(await read(block));
  // What stands behind a block that was left is not the next of the list.
  const left = parts.findIndex(({ isLeft }) => isLeft);
  const all = (left < 0 ? parts : parts.slice(0, left + 1)).flatMap(({ records }) => records);
  const records = all.slice(0, limit);
  return { records, hasMore: left >= 0 || records.length < all.length };
}

/**
 * Takes a part of what a query gives, and reads no further than is wanted.
 *
 * @param pages of a query that begins where the part does
 * @param limit how many records at most; as many as one answer can hold unless told
 * @param decode makes a record of an item
 */
export async function takeSlice<T, I extends Item>(
  pages: AsyncIterable<readonly I[]>,
  limit: number | undefined,
  decode: (item: I) => T,
): Promise<Slice<T>> {
  const records: T[] = [];
  let bytes = 0;
  for await (const items of pages) {
    for (const item of items) {
      if (records.length === limit || bytes >= ENOUGH_BYTES) return { records, hasMore: true };
      records.push(decode(item));
      bytes += itemBytes(item);
    }
  }
  return { records, hasMore: false };
}
