import { mapConcurrently } from "../dynamodb/concurrency.ts";
import type { IdAllocation } from "./id-allocation.ts";
import { countOf, type IdRange, locate, occupiedBlocks } from "./id-blocks.ts";

/** Reads what there is of a run, in id order. */
export type ReadRange<T> = (run: IdRange) => Promise<readonly T[]>;

/** A page of records and how many there are in all. */
export interface OffsetPage<T> {
  readonly records: readonly T[];
  readonly total: number;
}

/**
 * Reads all blocks in id order: the books and the first block together, then the other blocks in parallel.
 *
 * @param ids the table's ids
 * @param read called once for each block that holds any record
 */
export async function readAll<T>(ids: IdAllocation, read: ReadRange<T>): Promise<T[]> {
  const [books, first] = await Promise.all([ids.read(), read(wholeBlock(0))]);
  const others = occupiedBlocks(books).filter((block) => block > 0);
  return [first, ...(await mapConcurrently(others, (block) => read(wholeBlock(block))))].flat();
}

/**
 * Reads a page by arithmetic: the books tell where it lies, so that page 100,000 costs what page 1 costs. Two
 * calls in sequence: the books, then what is read of each block that the page touches, in parallel.
 *
 * @param ids the table's ids
 * @param offset how many records to pass over
 * @param size how many records to take at most
 * @param order by id
 * @param read called once for each run of ids that belongs to the page
 */
export async function readPage<T>(
  ids: IdAllocation,
  offset: number,
  size: number,
  order: "ascending" | "descending",
  read: ReadRange<T>,
): Promise<OffsetPage<T>> {
  const books = await ids.read();
  const total = countOf(books);
  const taken = Math.min(size, Math.max(0, total - offset));
  const start = order === "ascending" ? offset : total - offset - taken;
  const records = (await mapConcurrently(locate(books, start, taken), read)).flat();
  return { records: order === "ascending" ? records : records.reverse(), total };
}

/**
 * All ids of a block.
 *
 * @param block counted from 0
 */
export function wholeBlock(block: number): IdRange {
  return { block, from: 1, to: Number.MAX_SAFE_INTEGER };
}
