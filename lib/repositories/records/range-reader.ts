import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { itemSize } from "../dynamodb/item-size.ts";
import type { IdAllocation, Order } from "./id-allocation.ts";
import { blockOf, type IdRange, occupiedBlocks, wholeBlock } from "./id-blocks.ts";

/** More than one response of the API can hold, and little enough to be held in memory several times. */
const MAX_BYTES_READ = 8 * 1024 * 1024;

/** A page of a list, continued after its last record. */
export interface CursorPage<T> {
  readonly records: readonly T[];
  /** Whether the list continues after the last of these records. */
  readonly hasMore: boolean;
}

/** A page of a list, found by its position. */
export interface OffsetPage<T> {
  readonly records: readonly T[];
  /** How many records all pages have together. */
  readonly total: number;
}

/** What ends a page. */
interface PageBounds<T> {
  /** The maximum number of records; by default as many as one response can hold. */
  readonly limit?: number | undefined;
  /** Only records for which it is true are returned and counted. */
  readonly filter?: ((record: T) => boolean) | undefined;
  /** Reading stops after that many bytes of returned records; by default after more than one response can hold. */
  readonly maxBytes?: number | undefined;
}

/** Which part of a list in id order to read. */
export interface RangeQuery<T> extends PageBounds<T> {
  /** The id of the last record before the page; from the beginning of the list by default. */
  readonly after?: number | undefined;
}

interface RangeOptions<T> extends RangeQuery<T> {
  /** By id; ascending by default. */
  readonly order?: Order | undefined;
  /** Reads the records of a range in this order, one response of the query after the other. */
  readonly query: (range: IdRange) => AsyncIterable<readonly T[]>;
}

/**
 * Reads part of a list in id order. Records before the page are not read.
 *
 * Without a limit the blocks are read in parallel, with a limit one after the other until the page is full. In
 * descending order the allocated ids are read before the first block instead of at the same time.
 *
 * @throws ApiError `ServiceUnavailable`
 */
export async function readRange<T extends object>(
  ids: IdAllocation,
  { order = "ascending", after, query, ...bounds }: RangeOptions<T>,
): Promise<CursorPage<T>> {
  const reader = new ListReader(query, bounds);
  if (order === "descending") {
    const last = (after ?? Number.MAX_SAFE_INTEGER) - 1;
    const blocks = occupiedBlocks(await ids.read()).filter((block) => block <= blockOf(last));
    const ranges = blocks.map((block) => ({
      ...wholeBlock(block),
      ...(block === blockOf(last) && { to: last }),
    }));
    return reader.join(await reader.readAll(ranges.reverse(), 0));
  }
  const from = (after ?? 0) + 1;
  const [allocated, start] = await Promise.all([
    ids.read(),
    reader.read({ ...wholeBlock(blockOf(from)), from }, 0),
  ]);
  const others = occupiedBlocks(allocated).filter((block) => block > blockOf(from));
  return reader.join([start, ...(await reader.readAll(others.map(wholeBlock), 1))]);
}

/**
 * Reads part of a list from a single query, such as that of an index.
 *
 * @param pages the responses of a query that begins where the part begins
 */
export async function readPages<T extends object>(
  pages: AsyncIterable<readonly T[]>,
  bounds: PageBounds<T> = {},
): Promise<CursorPage<T>> {
  const reader = new ListReader(() => pages, bounds);
  return reader.join([await reader.read(wholeBlock(0), 0)]);
}

/**
 * Reads a page by its position. The allocated ids determine its first and last id, so that page 100,000 costs what
 * page 1 costs: two calls in sequence, the second one for each block of the page in parallel.
 *
 * @param offset how many records to skip
 * @param size how many records to take at most
 * @param order by id
 * @param read reads the records of a range, in ascending order
 * @throws ApiError `ServiceUnavailable`
 */
export async function readOffsetPage<T>(
  ids: IdAllocation,
  offset: number,
  size: number,
  order: Order,
  read: (range: IdRange) => Promise<readonly T[]>,
): Promise<OffsetPage<T>> {
  const { total, ranges } = await ids.locate(offset, size, order);
  const records = (await mapConcurrently(ranges, read)).flat();
  return { records: order === "ascending" ? records : records.reverse(), total };
}

/** The records of one range of a list, and whether reading stopped before its end. */
interface Part<T> {
  readonly records: readonly T[];
  readonly isPartial: boolean;
}

/** Reads the ranges of one list, each until it and the ranges before it hold what the page needs. */
class ListReader<T extends object> {
  readonly #query: (range: IdRange) => AsyncIterable<readonly T[]>;
  readonly #limit: number;
  readonly #filter: (record: T) => boolean;
  readonly #maxBytes: number;
  readonly #isParallel: boolean;
  /** How much has been read of each range. */
  readonly #progress: { count: number; bytes: number }[] = [];

  constructor(
    query: (range: IdRange) => AsyncIterable<readonly T[]>,
    { limit, filter = () => true, maxBytes = MAX_BYTES_READ }: PageBounds<T>,
  ) {
    this.#query = query;
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#filter = filter;
    this.#maxBytes = maxBytes;
    this.#isParallel = limit === undefined;
  }

  /** @param index of the range in the list */
  async read(range: IdRange, index: number): Promise<Part<T>> {
    const progress = { count: 0, bytes: 0 };
    this.#progress[index] = progress;
    const records: T[] = [];
    if (this.#isFull(index)) return { records, isPartial: true };
    for await (const page of this.#query(range)) {
      for (const record of page) {
        if (!this.#filter(record)) continue;
        records.push(record);
        progress.count += 1;
        if (this.#maxBytes < Number.POSITIVE_INFINITY) progress.bytes += itemSize(record);
        if (progress.count > this.#limit || progress.bytes >= this.#maxBytes) break;
      }
      if (this.#isFull(index)) return { records, isPartial: true };
    }
    return { records, isPartial: false };
  }

  /** @param firstIndex the index of the first range in the list */
  async readAll(ranges: readonly IdRange[], firstIndex: number): Promise<Part<T>[]> {
    const indexed = ranges.map((range, i) => ({ range, index: firstIndex + i }));
    if (this.#isParallel) return mapConcurrently(indexed, ({ range, index }) => this.read(range, index));
    const parts: Part<T>[] = [];
    for (const { range, index } of indexed) {
      const part = await this.read(range, index);
      parts.push(part);
      if (part.isPartial) break;
    }
    return parts;
  }

  join(parts: readonly Part<T>[]): CursorPage<T> {
    // Ranges after a partly read one are not contiguous with it; drop them.
    const partial = parts.findIndex(({ isPartial }) => isPartial);
    const all = parts.slice(0, partial < 0 ? parts.length : partial + 1).flatMap(({ records }) => records);
    const records = all.slice(0, this.#limit);
    return { records, hasMore: partial >= 0 || records.length < all.length };
  }

  /** Whether a range and those before it hold more than the page needs. */
  #isFull(index: number): boolean {
    let [count, bytes] = [0, 0];
    for (const progress of this.#progress.slice(0, index + 1)) {
      count += progress?.count ?? 0;
      bytes += progress?.bytes ?? 0;
    }
    return bytes >= this.#maxBytes || count > this.#limit;
  }
}
