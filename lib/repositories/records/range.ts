import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { itemSize } from "../dynamodb/item-size.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import type { IdAllocation } from "./id-allocation.ts";
import { blockOf, type IdRange, occupiedBlocks } from "./id-blocks.ts";
import { wholeBlock } from "./pages.ts";

/** More than one answer of the API can hold, and little enough to be held in memory several times. */
const MAX_BYTES_READ = 8 * 1024 * 1024;

/** How much of a list is wanted. */
interface Wanted<T> {
  /** How many records at most; as many as one answer can hold unless told. */
  readonly limit?: number | undefined;
  /** Asked of each record: only those for which it is true count. */
  readonly filter?: ((record: T) => boolean) | undefined;
}

/** Which part of a list is wanted, in id order. */
export interface RangeQuery<T> extends Wanted<T> {
  /** The id of the last record before it; from the beginning unless told. */
  readonly after?: number | undefined;
}

/** Which part of a list is wanted, the newest first. */
export interface NewestQuery<T> extends Wanted<T> {
  /** Only smaller ids; from the newest unless told. */
  readonly before?: number | undefined;
}

/** A part of a list, in its order. */
export interface CursorPage<T> {
  readonly records: readonly T[];
  /** Whether the list goes on after the last of them. */
  readonly hasMore: boolean;
}

/** What a run of ids is read by: one answer of a query after the other, in the order of the list. */
export type Pages<I extends StoredItem = StoredItem> = (run: IdRange) => AsyncGenerator<readonly I[]>;

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
export async function readRange<T>(
  ids: IdAllocation,
  { after = 0, ...wanted }: RangeQuery<T>,
  pages: Pages,
  decode: (item: StoredItem) => T,
): Promise<CursorPage<T>> {
  const first = blockOf(after + 1);
  const reading = new Reading(wanted, pages, decode);
  const [books, start] = await Promise.all([
    ids.read(),
    reading.read({ ...wholeBlock(first), from: after + 1 }, 0),
  ]);
  const others = occupiedBlocks(books).filter((block) => block > first);
  return reading.slice([start, ...(await reading.readAll(others.map(wholeBlock), 1))]);
}

/**
 * The same, the newest first. The books have to be known before: one call more in sequence.
 *
 * @param pages reads a run of ids, the greatest first
 */
export async function readNewest<T, I extends StoredItem>(
  ids: IdAllocation,
  { before = Number.MAX_SAFE_INTEGER, ...wanted }: NewestQuery<T>,
  pages: Pages<I>,
  decode: (item: I) => T,
): Promise<CursorPage<T>> {
  const last = blockOf(before - 1);
  const blocks = occupiedBlocks(await ids.read()).filter((block) => block <= last);
  const runs = blocks.reverse().map((block) => ({
    ...wholeBlock(block),
    ...(block === last && { to: before - 1 }),
  }));
  const reading = new Reading(wanted, pages, decode);
  return reading.slice(await reading.readAll(runs, 0));
}

/** What was read of a run, and whether it was left before its end. */
interface Part<T> {
  readonly records: readonly T[];
  readonly isLeft: boolean;
}

/** Runs of ids that are read side by side, each of them until it and those before it have what is wanted. */
class Reading<T, I extends StoredItem> {
  readonly #limit: number | undefined;
  readonly #keep: (record: T) => boolean;
  readonly #pages: Pages<I>;
  readonly #decode: (item: I) => T;
  /** What has been read of each run. */
  readonly #gauges: { count: number; bytes: number }[] = [];

  constructor({ limit, filter = () => true }: Wanted<T>, pages: Pages<I>, decode: (item: I) => T) {
    this.#limit = limit;
    this.#keep = filter;
    this.#pages = pages;
    this.#decode = decode;
  }

  /**
   * Reads a run.
   *
   * @param place of the run among all runs, from 0
   */
  async read(run: IdRange, place: number): Promise<Part<T>> {
    const gauge = { count: 0, bytes: 0 };
    this.#gauges[place] = gauge;
    const records: T[] = [];
    if (this.#isEnough(place)) return { records, isLeft: true };
    for await (const items of this.#pages(run)) {
      for (const item of items) {
        const record = this.#decode(item);
        if (!this.#keep(record)) continue;
        records.push(record);
        gauge.count += 1;
        gauge.bytes += itemSize(item);
      }
      if (this.#isEnough(place)) return { records, isLeft: true };
    }
    return { records, isLeft: false };
  }

  /** Reads runs, the first of them at a place: in parallel without a limit, with one as far as they are needed. */
  async readAll(runs: readonly IdRange[], place: number): Promise<Part<T>[]> {
    const placed = runs.map((run, i) => ({ run, at: place + i }));
    if (this.#limit === undefined) return mapConcurrently(placed, ({ run, at }) => this.read(run, at));
    const parts: Part<T>[] = [];
    for (const { run, at } of placed) {
      if (this.#isEnough(at)) return [...parts, { records: [], isLeft: true }];
      parts.push(await this.read(run, at));
    }
    return parts;
  }

  /** Puts the parts of all runs together. */
  slice(parts: readonly Part<T>[]): CursorPage<T> {
    // What stands behind a run that was left is not the next of the list.
    const left = parts.findIndex(({ isLeft }) => isLeft);
    const all = (left < 0 ? parts : parts.slice(0, left + 1)).flatMap(({ records }) => records);
    const records = all.slice(0, this.#limit);
    return { records, hasMore: left >= 0 || records.length < all.length };
  }

  #isEnough(place: number): boolean {
    let [count, bytes] = [0, 0];
    for (const gauge of this.#gauges.slice(0, place + 1)) {
      count += gauge?.count ?? 0;
      bytes += gauge?.bytes ?? 0;
    }
    return bytes >= MAX_BYTES_READ || (this.#limit !== undefined && count > this.#limit);
  }
}

/**
 * Takes a part of what a query gives, and reads no further than is wanted.
 *
 * @param pages of a query that begins where the part does
 * @param limit how many records at most; as many as one answer can hold unless told
 * @param decode makes a record of an item
 */
export async function takePage<T, I extends StoredItem>(
  pages: AsyncIterable<readonly I[]>,
  limit: number | undefined,
  decode: (item: I) => T,
): Promise<CursorPage<T>> {
  const records: T[] = [];
  let bytes = 0;
  for await (const items of pages) {
    for (const item of items) {
      if (records.length === limit || bytes >= MAX_BYTES_READ) return { records, hasMore: true };
      records.push(decode(item));
      bytes += itemSize(item);
    }
  }
  return { records, hasMore: false };
}
