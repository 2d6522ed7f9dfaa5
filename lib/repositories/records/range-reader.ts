import { type ReadBudget, ReadBudgetExceeded } from "../../domain/read-budget.ts";
import { mapConcurrently, type QueryPage } from "../dynamodb/query.ts";
import type { IdAllocation, Order } from "./id-allocation.ts";
import {
  blockOf,
  countOf,
  type IdRange,
  locate,
  occupiedBlocks,
  type PageRange,
  sharesOf,
  wholeBlock,
} from "./id-blocks.ts";

/** As much JSON, without escapes, as no response of the API can hold. */
export const MAX_LENGTH_READ = 6 * 1024 * 1024;
/** How many blocks are read in parallel at most. */
const MAX_BLOCKS = 32;
/** How many records the first query of a filtered list reads for each wanted one, and at least. */
const FILTER_RATIO = 4;
const MIN_FILTERED = 50;

/** A page of a list, continued after its last record. */
export interface CursorPage<T, Position = number> {
  readonly records: readonly T[];
  /** Up to where the list has been read, also if a filter left out the last records. Undefined at its end. */
  readonly next: Position | undefined;
}

/** A page of a list, found by its position. */
export interface OffsetPage<T> {
  readonly records: readonly T[];
  /** How many records all pages have together. */
  readonly total: number;
}

/** Where a page begins and ends. */
interface PageBounds<T> {
  /** The maximum number of records; by default as many as one response can hold. */
  readonly limit?: number | undefined;
  /** How many records to leave out. These are read as well, and then only `limit` ends the page. */
  readonly offset?: number | undefined;
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

/**
 * Reads part of a list in id order. Records before the part are not read.
 *
 * Without a limit as many blocks are read in parallel as a response can hold, judging by the first one. With
 * a limit or a budget 1, 1, 2, 4, … are: so what is read is in proportion to what is found. In descending
 * order the allocated ids are read before the first block instead of at the same time.
 *
 * A part ends early where the budget is spent, and of the blocks that are read in parallel then, only those
 * up to the first unfinished one count. So no more are read in parallel than the rest of the budget pays for.
 *
 * @param query reads the records of a range, one response after the other. The first one has at most `limit`
 * @param budget what the query spends
 * @throws ReadBudgetExceeded if the budget is spent before anything has been read
 */
export async function readRange<T extends { readonly id: number }>(
  ids: IdAllocation,
  query: (range: IdRange, limit: number | undefined) => AsyncIterable<QueryPage<T>>,
  { order = "ascending", after, ...bounds }: RangeQuery<T>,
  budget?: ReadBudget,
): Promise<CursorPage<T>> {
  const reader = pageReader<T, number>(({ id }) => id, bounds, budget);
  const sourceOf = (range: IdRange): Source<T, number> => ({
    query: (limit) => query(range, limit),
    end: order === "ascending" ? range.to : range.from,
  });
  if (order === "descending") {
    const last = (after ?? Number.MAX_SAFE_INTEGER) - 1;
    const blocks = occupiedBlocks(await ids.read()).filter((block) => block <= blockOf(last));
    const ranges = blocks.reverse().map(wholeBlock);
    await reader.readAll(ranges.map((range) => sourceOf({ ...range, to: Math.min(range.to, last) })));
  } else {
    const from = (after ?? 0) + 1;
    const first = { ...wholeBlock(blockOf(from)), from };
    const [allocated] = await Promise.all([ids.read(), reader.read(sourceOf(first))]);
    const blocks = occupiedBlocks(allocated).filter((block) => block > first.block);
    await reader.readAll(blocks.map(wholeBlock).map(sourceOf));
  }
  return reader.page();
}

/**
 * Reads part of a list from a single query, such as that of an index.
 *
 * @param query begins where the part begins
 * @throws ReadBudgetExceeded if the budget is spent before anything has been read
 * @example readPages((Limit) => queryPages(client, { ...query, Limit }, budget, decode), idOf, { limit: 10 })
 */
export async function readPages<T, Position>(
  query: (limit: number | undefined) => AsyncIterable<QueryPage<T>>,
  positionOf: (record: T) => Position,
  bounds: PageBounds<T>,
): Promise<CursorPage<T, Position>> {
  const reader = pageReader(positionOf, bounds);
  await reader.read({ query, end: undefined });
  return reader.page();
}

/**
 * Reads a page by its position. The allocated ids determine its first and last id, so that page 100,000 costs
 * what page 1 costs: two calls in sequence, the second one for each block of the page in parallel, and one in
 * between for each group with deletions that the page lies in.
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
  const allocated = await ids.read();
  const total = countOf(allocated);
  const count = Math.min(size, Math.max(0, total - offset));
  const shares = sharesOf(allocated, order === "ascending" ? offset : total - offset - count, count);
  const ranges = await mapConcurrently(shares, async (share) => {
    const bitmaps = allocated.deleted.get(share.group) ? await ids.bitmaps(share.group) : new Map();
    return locate(share, allocated.last, bitmaps);
  });
  const records = (await mapConcurrently(ranges.flat(), read)).flat();
  return { records: order === "ascending" ? records : records.reverse(), total };
}

/** A part of a list. */
interface Source<T, Position> {
  readonly query: (limit: number | undefined) => AsyncIterable<QueryPage<T>>;
  /** The position at which the next part begins; undefined for the last one. */
  readonly end: Position | undefined;
}

/** What has been read of a source. */
interface Part<T, Position> {
  readonly records: T[];
  /** The characters of their JSON. */
  length: number;
  isComplete: boolean;
  /** Up to where it has been read; undefined if nothing has been read. */
  readTo: Position | undefined;
}

/** Reads the parts of one list until they hold what a page needs. */
function pageReader<T, Position>(
  positionOf: (record: T) => Position,
  { limit = Number.POSITIVE_INFINITY, offset, filter, maxLength = MAX_LENGTH_READ }: PageBounds<T>,
  budget?: ReadBudget,
) {
  const parts: Part<T, Position>[] = [];
  const skipped = offset ?? 0;
  const needed = skipped + limit;
  const keep = filter ?? (() => true);

  /** How much has been read: of all parts, or of those up to one. */
  function readUpTo(last?: Part<T, Position>): { count: number; length: number } {
    let [count, length] = [0, 0];
    for (const part of parts) {
      count += part.records.length;
      length += part.length;
      if (part === last) break;
    }
    return { count, length };
  }

  /** Whether a part and those before it hold more than the page needs. */
  function isFull(part: Part<T, Position>): boolean {
    const { count, length } = readUpTo(part);
    return count > needed || (offset === undefined && length >= maxLength);
  }

  /** How many records the first response of the next part may have; undefined for as many as there are. */
  function firstLimit(): number | undefined {
    if (needed === Number.POSITIVE_INFINITY) return undefined;
    const missing = needed + 1 - readUpTo().count;
    if (filter === undefined) return Math.max(1, missing);
    // The first block of a list may have few records, the second one is full.
    return parts.length <= 1 ? Math.max(MIN_FILTERED, FILTER_RATIO * missing) : undefined;
  }

  /** How many sources to read in parallel next. */
  function nextCount(): number {
    const done = parts.length;
    const { length } = readUpTo();
    // A tenth more than those that were read suggest.
    const missing = length === 0 ? MAX_BLOCKS : Math.ceil((1.1 * done * (maxLength - length)) / length);
    const isGradual = budget || needed < Number.POSITIVE_INFINITY;
    const wanted = isGradual ? Math.min(done, MAX_BLOCKS) : missing;
    return Math.max(1, Math.min(wanted, budget?.affordable(done) ?? wanted));
  }

  async function read({ query, end }: Source<T, Position>): Promise<void> {
    const first = firstLimit();
    const part: Part<T, Position> = { records: [], length: 0, isComplete: false, readTo: undefined };
    parts.push(part);
    if (isFull(part)) return;
    try {
      for await (const { items, readTo } of query(first)) {
        const kept = items.filter(keep);
        part.records.push(...kept);
        // Without its brackets.
        part.length += JSON.stringify(kept).length - 2;
        part.readTo = readTo as Position | undefined;
        if (readTo !== undefined && isFull(part)) return;
      }
      part.readTo = end;
      part.isComplete = true;
    } catch (error) {
      if (!(error instanceof ReadBudgetExceeded)) throw error;
    }
  }

  async function readAll(sources: readonly Source<T, Position>[]): Promise<void> {
    const rest = [...sources];
    while (rest.length > 0 && parts.every(({ isComplete }) => isComplete))
      await mapConcurrently(rest.splice(0, nextCount()), read);
  }

  function page(): CursorPage<T, Position> {
    const partial = parts.findIndex(({ isComplete }) => !isComplete);
    // Parts after one that is not complete are not contiguous with it; drop them.
    const contiguous = partial < 0 ? parts : parts.slice(0, partial + 1);
    const all = contiguous.flatMap(({ records }) => records);
    const records = all.slice(skipped, needed);
    const last = records.at(-1);
    if (last !== undefined && all.length > needed) return { records, next: positionOf(last) };
    if (partial < 0) return { records, next: undefined };
    const next = parts[partial]?.readTo ?? parts[partial - 1]?.readTo;
    if (next === undefined) throw new ReadBudgetExceeded();
    if (all.length < skipped)
      throw new ReadBudgetExceeded("Begin with the first page and follow the links from there");
    return { records, next };
  }

  return { read, readAll, page };
}
