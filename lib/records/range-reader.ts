import { type ReadBudget, ReadBudgetExceeded } from "../domain/read-budget.ts";
import { mapConcurrently, type QueryPage } from "../dynamodb/query.ts";
import type { IdAllocation, Order } from "./id-allocation.ts";
import { blockOf, countOf, type IdRange, locate, occupiedBlocks, sharesOf, wholeBlock } from "./id-blocks.ts";

/** As much JSON, without escapes, as no response of the API can hold. */
export const MAX_LENGTH_READ = 6 * 1024 * 1024;
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
  readonly total: number;
}

interface PageBounds<T> {
  readonly limit?: number | undefined;
  /** Records to skip. They are read as well, and then only `limit` ends the page. */
  readonly offset?: number | undefined;
  readonly filter?: ((record: T) => boolean) | undefined;
  /** Characters of JSON after which reading stops; by default more than one response can hold. */
  readonly maxLength?: number | undefined;
}

export interface RangeQuery<T> extends PageBounds<T> {
  readonly after?: number | undefined;
  readonly order?: Order | undefined;
}

/**
 * Reads part of a list in id order, and none of the records before it.
 * It reads 1, 4, 20, … blocks at the same time, or with a limit or a budget 1, 1, 2, 4, … (docs/adr/0019), but not
 * more than seem to be missing. Once the budget is spent, blocks after the first unfinished one are dropped.
 * @throws ReadBudgetExceeded if the budget is spent before anything has been read
 */
export async function readRange<T extends { readonly id: number }>(
  ids: IdAllocation,
  query: (range: IdRange, limit: number | undefined) => AsyncIterable<QueryPage<T>>,
  { order = "ascending", after, ...bounds }: RangeQuery<T>,
  budget?: ReadBudget,
): Promise<CursorPage<T>> {
  const reader = pageReader<T, number>(idOf, bounds, budget);
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
    const [allocated] = await Promise.all([ids.read(), reader.readAll([sourceOf(first)])]);
    const blocks = occupiedBlocks(allocated).filter((block) => block > first.block);
    await reader.readAll(blocks.map(wholeBlock).map(sourceOf));
  }
  return reader.page();
}

/** Reads part of a list from a single query, such as that of an index. @throws ReadBudgetExceeded as `readRange` */
export async function readPages<T, Position>(
  query: (limit: number | undefined) => AsyncIterable<QueryPage<T>>,
  positionOf: (record: T) => Position,
  bounds: PageBounds<T>,
): Promise<CursorPage<T, Position>> {
  const reader = pageReader(positionOf, bounds);
  await reader.readAll([{ query }]);
  return reader.page();
}

export function idOf({ id }: { readonly id: number }): number {
  return id;
}

/** The ids of a page, by its offset. One call, and one more if its groups have deletions. */
export async function readPageIds(ids: IdAllocation, offset: number, size: number, order: Order) {
  const allocated = await ids.read();
  const total = countOf(allocated);
  const count = Math.min(size, Math.max(0, total - offset));
  const shares = sharesOf(allocated, order === "ascending" ? offset : total - offset - count, count);
  const parts = await mapConcurrently(shares, async (share) => {
    const bitmaps = allocated.deleted.get(share.group) ? await ids.bitmaps(share.group) : new Map();
    return locate(share, allocated.last, bitmaps);
  });
  return { records: order === "ascending" ? parts.flat() : parts.flat().reverse(), total };
}

/** Reads what belongs to the rows of a query that pass a filter, in parts of at most `sizeOfNext()` rows. */
export async function* readInParts<Row extends { readonly id: number }, T>(
  pages: AsyncIterable<QueryPage<Row>>,
  sizeOfNext: () => number,
  read: (rows: readonly Row[]) => Promise<readonly T[]>,
  filter: (row: Row) => boolean = () => true,
): AsyncGenerator<QueryPage<T>> {
  for await (const { items, readTo } of pages) {
    const rest = items.filter(filter);
    do {
      const rows = rest.splice(0, sizeOfNext());
      yield { items: await read(rows), readTo: rest.length === 0 ? readTo : rows.at(-1)?.id };
    } while (rest.length > 0);
  }
}

interface Source<T, Position> {
  readonly query: (limit: number | undefined) => AsyncIterable<QueryPage<T>>;
  /** Where the next part begins; undefined for the last one. */
  readonly end?: Position;
}

interface Part<T, Position> {
  readonly records: T[];
  length: number;
  isComplete: boolean;
  readTo?: Position | undefined;
}

/** Reads sources, in their order or several together, until a page is full. */
function pageReader<T, Position>(
  positionOf: (record: T) => Position,
  { limit, offset, filter, maxLength = MAX_LENGTH_READ }: PageBounds<T>,
  budget?: ReadBudget,
) {
  const parts: Part<T, Position>[] = [];
  const start = offset ?? 0;
  const end = start + (limit ?? Number.POSITIVE_INFINITY);
  const recordCount = (some = parts) => some.reduce((sum, { records }) => sum + records.length, 0);

  /** How much of a page some parts are. From 1 on it is full: it has its length, or a record more than its limit. */
  function shareOf(some = parts): number {
    const length = offset === undefined ? some.reduce((sum, part) => sum + part.length, 0) : 0;
    return Math.max(recordCount(some) / (end + 1), length / maxLength);
  }

  /** How many sources to read together: as many as seem to be missing, but few while little is known. */
  function nextCount(): number {
    const known = Math.max(1, parts.length);
    const missing = Math.ceil(known / shareOf()) - known;
    const most = budget || limit !== undefined ? known : 4 * known;
    return Math.max(1, Math.min(missing, most, budget?.affordable(known) ?? most));
  }

  /** Of the first query of a source; undefined for all records. */
  function firstLimit(): number | undefined {
    if (limit === undefined) return undefined;
    const missing = end + 1 - recordCount();
    if (filter === undefined) return missing;
    // The first block of a list may have few records, the second one is full.
    return parts.length <= 1 ? Math.max(MIN_FILTERED, FILTER_RATIO * missing) : undefined;
  }

  /** Reads a part until the page is full. If it is full already, the part has nothing, and is not complete. */
  async function read({ query, end }: Source<T, Position>): Promise<void> {
    const pages = shareOf() < 1 ? query(firstLimit()) : [];
    const part: Part<T, Position> = { records: [], length: 0, isComplete: false };
    parts.push(part);
    const upToThis = [...parts];
    try {
      for await (const page of pages) {
        add(part, page, end);
        if (shareOf(upToThis) >= 1) return;
      }
    } catch (error) {
      if (!(error instanceof ReadBudgetExceeded)) throw error;
    }
  }

  function add(part: Part<T, Position>, { items, readTo }: QueryPage<T>, end?: Position): void {
    const records = items.filter(filter ?? Boolean);
    part.records.push(...records);
    part.length += JSON.stringify(records).length - 2;
    part.isComplete = readTo === undefined;
    part.readTo = (readTo as Position | undefined) ?? end;
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
    const records = all.slice(start, end);
    if (all.length > end) return { records, next: positionOf(records.at(-1) as T) };
    if (partial < 0) return { records, next: undefined };
    const next = parts[partial]?.readTo ?? parts[partial - 1]?.readTo;
    if (next === undefined) throw new ReadBudgetExceeded();
    if (all.length < start) throw new ReadBudgetExceeded("Follow the links from the first page");
    return { records, next };
  }

  return { readAll, page };
}
