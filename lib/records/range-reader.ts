import { type ReadBudget, ReadBudgetExceeded } from "../domain/read-budget.ts";
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
const MAX_BLOCKS = 32;
/** Records that the first query of a filtered list reads per wanted one, and at least. */
const FILTER_RATIO = 4;
const MIN_FILTERED = 50;

export interface CursorPage<T, Position = number> {
  readonly records: readonly T[];
  /** Where reading ended, even if the filter left out the last records; undefined at the end of the list. */
  readonly next: Position | undefined;
}

export interface OffsetPage<T> {
  readonly records: readonly T[];
  /** Of all pages. */
  readonly total: number;
}

interface PageBounds<T> {
  /** By default as many as one response can hold. */
  readonly limit?: number | undefined;
  /** Records to skip. They are read as well, and then only `limit` ends the page. */
  readonly offset?: number | undefined;
  readonly filter?: ((record: T) => boolean) | undefined;
  /** Characters of JSON after which reading stops; by default more than one response can hold. */
  readonly maxLength?: number | undefined;
}

export interface RangeQuery<T> extends PageBounds<T> {
  /** The id of the last record before the page; 0 by default. */
  readonly after?: number | undefined;
  /** Ascending by default. */
  readonly order?: Order | undefined;
}

/**
 * Reads part of a list in id order, and none of the records before it.
 *
 * Without a limit it reads as many blocks in parallel as a response can hold, judging by the first one. With
 * a limit or a budget it reads 1, 1, 2, 4, … (docs/adr/0019). Once the budget is spent, blocks after the
 * first unfinished one are dropped.
 *
 * @param query its first response has at most `limit` records
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

/** Reads a page by its offset. Two calls in sequence, and one in between if its groups have deletions. */
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

/** Reads what belongs to the rows of a query that pass a filter, in parts of at most `sizeOfNext()` rows. */
export async function* readInParts<Row extends { readonly id: number }, T>(
  pages: AsyncIterable<QueryPage<Row>>,
  sizeOfNext: () => number,
  read: (rows: readonly Row[]) => Promise<readonly T[]>,
  filter: (row: Row) => boolean = () => true,
): AsyncGenerator<QueryPage<T>> {
  for await (const { items, readTo } of pages) {
    let rest = items.filter(filter);
    do {
      const rows = rest.slice(0, sizeOfNext());
      rest = rest.slice(rows.length);
      yield { items: await read(rows), readTo: rest.length === 0 ? readTo : rows.at(-1)?.id };
    } while (rest.length > 0);
  }
}

interface Source<T, Position> {
  readonly query: (limit: number | undefined) => AsyncIterable<QueryPage<T>>;
  /** Where the next part begins; undefined for the last one. */
  readonly end: Position | undefined;
}

interface Part<T, Position> {
  readonly records: T[];
  /** Characters of JSON. */
  length: number;
  isComplete: boolean;
  readTo: Position | undefined;
}

function pageReader<T, Position>(
  positionOf: (record: T) => Position,
  { limit = Number.POSITIVE_INFINITY, offset, filter, maxLength = MAX_LENGTH_READ }: PageBounds<T>,
  budget?: ReadBudget,
) {
  const parts: Part<T, Position>[] = [];
  const skipped = offset ?? 0;
  const needed = skipped + limit;
  const keep = filter ?? (() => true);

  function readUpTo(last?: Part<T, Position>): { count: number; length: number } {
    let [count, length] = [0, 0];
    for (const part of parts) {
      count += part.records.length;
      length += part.length;
      if (part === last) break;
    }
    return { count, length };
  }

  function isFull(part: Part<T, Position>): boolean {
    const { count, length } = readUpTo(part);
    return count > needed || (offset === undefined && length >= maxLength);
  }

  /** Undefined for as many as there are. */
  function firstLimit(): number | undefined {
    if (needed === Number.POSITIVE_INFINITY) return undefined;
    const missing = needed + 1 - readUpTo().count;
    if (filter === undefined) return Math.max(1, missing);
    // The first block of a list may have few records, the second one is full.
    return parts.length <= 1 ? Math.max(MIN_FILTERED, FILTER_RATIO * missing) : undefined;
  }

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
