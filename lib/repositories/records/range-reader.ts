import { type ReadBudget, ReadBudgetExceeded } from "../../domain/read-budget.ts";
import { mapConcurrently, type QueryPage } from "../dynamodb/query.ts";
import type { IdAllocation, Order } from "./id-allocation.ts";
import {
  BLOCK_SIZE,
  blockOf,
  type IdRange,
  occupiedBlocks,
  type PageRange,
  wholeBlock,
} from "./id-blocks.ts";

/** As much JSON, without escapes, as no response of the API can hold. */
export const MAX_LENGTH_READ = 6 * 1024 * 1024;
/** How many blocks are read in parallel at most. */
const MAX_BLOCKS = 32;
/** How many records the first query of a filtered list reads for each that is wanted, and how many at least. */
const FILTER_RATIO = 4;
const MIN_FILTERED = 50;

/** A page of a list, continued after its last record. */
export interface CursorPage<T, Position = number> {
  readonly records: readonly T[];
  /**
   * Up to where the list has been read: its next page begins after this id. Records that a filter left out may lie
   * between the last record and it. Undefined at the end of the list.
   */
  readonly next: Position | undefined;
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
  /** Reading stops after records with so much JSON; by default after more than one response can hold. */
  readonly maxLength?: number | undefined;
}

/** Which part of a list in id order to read. */
export interface RangeQuery<T> extends PageBounds<T> {
  /** The id of the last record before the page; from the beginning of the list by default. */
  readonly after?: number | undefined;
  /** By id; ascending by default. */
  readonly order?: Order | undefined;
}

/** Reads the records of a range, one response of the query after the other. Its first response has at most `limit`. */
type Query<T> = (range: IdRange, limit: number | undefined) => AsyncIterable<QueryPage<T>>;

/**
 * Reads part of a list in id order. Records before the part are not read.
 *
 * Without a limit as many blocks are read in parallel as a response can hold, judging by the first one. With a limit or
 * a budget the first two blocks are read one after the other, then 2, 4, 8, … at a time: so what is read is in
 * proportion to what is found. In descending order the allocated ids are read before the first block instead of at the
 * same time.
 *
 * A part ends early where the budget is spent. Of the blocks that are read in parallel then, only those up to the first
 * unfinished one count. So no more are read in parallel than the rest of the budget pays for.
 *
 * @param budget what the query spends
 * @throws ReadBudgetExceeded if the budget is spent before anything has been read
 */
export async function readRange<T extends { readonly id: number }>(
  ids: IdAllocation,
  query: Query<T>,
  { order = "ascending", after, ...bounds }: RangeQuery<T>,
  budget?: ReadBudget,
): Promise<CursorPage<T>> {
  const reader = listReader(query, ({ id }) => id, bounds, budget);
  if (order === "descending") {
    const last = (after ?? Number.MAX_SAFE_INTEGER) - 1;
    const blocks = occupiedBlocks(await ids.read()).filter((block) => block <= blockOf(last));
    const ranges = blocks.map((block) => ({
      ...wholeBlock(block),
      ...(block === blockOf(last) && { to: last }),
    }));
    const parts = await reader.readAll(ranges.reverse(), 0);
    return reader.join(parts, ({ block }) => block * BLOCK_SIZE + 1);
  }
  const from = (after ?? 0) + 1;
  const first = { ...wholeBlock(blockOf(from)), from };
  const [allocated, start] = await Promise.all([ids.read(), reader.read(first, 0)]);
  const others = occupiedBlocks(allocated).filter((block) => block > blockOf(from));
  const rest = start.isPartial ? [] : await reader.readAll(others.map(wholeBlock), 1);
  return reader.join([start, ...rest], ({ block }) => (block + 1) * BLOCK_SIZE);
}

/**
 * Leaves out the records before a page that is asked for by its number.
 *
 * @throws ReadBudgetExceeded if the budget ended the list before the page
 */
export function withoutFirst<T, Position>(
  offset: number,
  { records, next }: CursorPage<T, Position>,
): CursorPage<T, Position> {
  if (records.length < offset && next !== undefined)
    throw new ReadBudgetExceeded("Begin with the first page and follow the links from there");
  return { records: records.slice(offset), next };
}

/**
 * Reads part of a list from a single query, such as that of an index.
 *
 * @param query begins where the part begins
 * @throws ReadBudgetExceeded if the budget is spent before anything has been read
 */
export async function readPages<T, Position>(
  query: (limit: number | undefined) => AsyncIterable<QueryPage<T>>,
  positionOf: (record: T) => Position,
  bounds: PageBounds<T> = {},
): Promise<CursorPage<T, Position>> {
  const reader = listReader<T, Position>((_, limit) => query(limit), positionOf, bounds);
  return reader.join([await reader.read(wholeBlock(0), 0)], () => undefined);
}

/**
 * Reads a page by its position. The allocated ids determine its first and last id, so that page 100,000 costs what
 * page 1 costs: two calls in sequence, the second one for each block of the page in parallel.
 *
 * @param read reads the records of a range, in ascending order
 */
export async function readOffsetPage<T>(
  ids: IdAllocation,
  offset: number,
  size: number,
  order: Order,
  read: (range: PageRange) => Promise<readonly T[]>,
): Promise<OffsetPage<T>> {
  const { total, ranges } = await ids.locate(offset, size, order);
  const records = (await mapConcurrently(ranges, read)).flat();
  return { records: order === "ascending" ? records : records.reverse(), total };
}

/**
 * Reads every block that has records: the first one at the same time as the allocated ids, then the others in parallel.
 */
export async function readAll(ids: IdAllocation, read: (range: IdRange) => Promise<void>): Promise<void> {
  const [allocated] = await Promise.all([ids.read(), read(wholeBlock(0))]);
  const others = occupiedBlocks(allocated).filter((block) => block > 0);
  await mapConcurrently(others, (block) => read(wholeBlock(block)));
}

/** The records of one range of a list. */
interface Part<T, Position> {
  readonly range: IdRange;
  readonly records: readonly T[];
  /** Whether reading stopped before the end of the range. */
  readonly isPartial: boolean;
  /** Up to where a partly read range has been read; undefined if nothing of it has been read. */
  readonly readTo: Position | undefined;
}

/** Reads the ranges of one list, each until it and the ranges before it hold what the page needs. */
function listReader<T, Position>(
  query: Query<T>,
  positionOf: (record: T) => Position,
  { limit = Number.POSITIVE_INFINITY, filter, maxLength = MAX_LENGTH_READ }: PageBounds<T>,
  budget?: ReadBudget,
) {
  /** How much has been read of each range: records, and characters of JSON. */
  const progress: { readonly records: T[]; length: number }[] = [];
  const keep = filter ?? (() => true);

  function readUpTo(index: number): { count: number; length: number } {
    let [count, length] = [0, 0];
    for (const range of progress.slice(0, index + 1)) {
      count += range?.records.length ?? 0;
      length += range?.length ?? 0;
    }
    return { count, length };
  }

  /** Whether a range and those before it hold more than the page needs. */
  function isFull(index: number): boolean {
    const { count, length } = readUpTo(index);
    return length >= maxLength || count > limit;
  }

  /** How many records the first response of a range's query may have; undefined for as many as there are. */
  function firstLimit(index: number): number | undefined {
    if (limit === Number.POSITIVE_INFINITY) return undefined;
    const missing = limit + 1 - readUpTo(index).count;
    if (filter === undefined) return Math.max(1, missing);
    // The first block of a list may have few records, the second one is full.
    return index <= 1 ? Math.max(MIN_FILTERED, FILTER_RATIO * missing) : undefined;
  }

  /** How many more ranges a response can hold, a tenth more than those that were read suggest. */
  function missingRanges(done: number): number {
    const { length } = readUpTo(done - 1);
    return length === 0 ? MAX_BLOCKS : Math.ceil((1.1 * done * (maxLength - length)) / length);
  }

  /** @param index of the range in the list */
  async function read(range: IdRange, index: number): Promise<Part<T, Position>> {
    const records: T[] = [];
    const own = { records, length: 0 };
    progress[index] = own;
    let readTo: Position | undefined;
    if (isFull(index)) return { range, records, isPartial: true, readTo };
    try {
      for await (const page of query(range, firstLimit(index))) {
        const kept = page.items.filter(keep);
        records.push(...kept);
        // Without its brackets.
        own.length += JSON.stringify(kept).length - 2;
        readTo = page.readTo as Position | undefined;
        if (readTo !== undefined && isFull(index)) return { range, records, isPartial: true, readTo };
      }
    } catch (error) {
      if (!(error instanceof ReadBudgetExceeded)) throw error;
      return { range, records, isPartial: true, readTo };
    }
    return { range, records, isPartial: false, readTo };
  }

  /** @param firstIndex the index of the first range in the list */
  async function readAll(ranges: readonly IdRange[], firstIndex: number): Promise<Part<T, Position>[]> {
    const indexed = ranges.map((range, i) => ({ range, index: firstIndex + i }));
    const parts: Part<T, Position>[] = [];
    while (parts.length < indexed.length) {
      const done = firstIndex + parts.length;
      // As many as have been read: 1, 1, 2, 4, …
      const isGradual = budget || limit < Number.POSITIVE_INFINITY;
      const wanted = isGradual ? Math.min(done, MAX_BLOCKS) : missingRanges(done);
      const count = Math.max(1, Math.min(wanted, budget?.affordable(done) ?? wanted));
      const next = indexed.slice(parts.length, parts.length + count);
      parts.push(...(await mapConcurrently(next, ({ range, index }) => read(range, index))));
      if (parts.some(({ isPartial }) => isPartial)) break;
    }
    return parts;
  }

  /** @param endOf the position of a range's end */
  function join(
    parts: readonly Part<T, Position>[],
    endOf: (range: IdRange) => Position | undefined,
  ): CursorPage<T, Position> {
    // Ranges after a partly read one are not contiguous with it; drop them.
    const partial = parts.findIndex(({ isPartial }) => isPartial);
    const contiguous = partial < 0 ? parts : parts.slice(0, partial + 1);
    const all = contiguous.flatMap(({ records }) => records);
    const records = all.slice(0, limit);
    const last = records.at(-1);
    if (last !== undefined && records.length < all.length) return { records, next: positionOf(last) };
    const before = parts[partial - 1];
    const next = parts[partial]?.readTo ?? (before && endOf(before.range));
    if (partial >= 0 && next === undefined) throw new ReadBudgetExceeded();
    return { records, next };
  }

  return { read, readAll, join };
}
