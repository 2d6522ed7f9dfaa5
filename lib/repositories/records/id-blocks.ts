/** Ids under one partition key. A full list queries the blocks in parallel. */
export const BLOCK_SIZE = 1_000;

/** Ids per number attribute: a DynamoDB number holds 38 digits, which is 126 bits, and 8 × 125 is a block. */
const WORD_SIZE = 125;

/** What a table knows of its ids: the last one given, and which of them name no record any more. */
export interface AllocatedIds {
  /** The last id given; 0 before the first. */
  readonly last: number;
  /** Per block the ids that are gone, as a bitmap: bit 0 is the block's first id. */
  readonly deleted: ReadonlyMap<number, bigint>;
}

/** A run of ids within one block, both ends inclusive; ids between them may be gone. */
export interface IdRange {
  readonly block: number;
  readonly from: number;
  readonly to: number;
}

/** The block that an id belongs to; ids count from 1, blocks from 0. */
export function blockOf(id: number): number {
  return Math.floor((id - 1) / BLOCK_SIZE);
}

/**
 * How to enter an id as gone: adding 2^k to a number sets its bit k, which needs no read and no condition.
 * It holds only once per id, so the entry belongs in the very transaction in which the record goes.
 *
 * @param id the id that names no record from now on
 * @returns the block, its attribute and the number to add to it
 */
export function tombstoneBit(id: number): { block: number; attribute: string; bit: bigint } {
  const offset = (id - 1) % BLOCK_SIZE;
  return {
    block: blockOf(id),
    attribute: `w${Math.floor(offset / WORD_SIZE)}`,
    bit: 1n << BigInt(offset % WORD_SIZE),
  };
}

/**
 * Puts a block's number attributes together to its bitmap.
 *
 * @param item the block's entry in the books
 */
export function bitmapOf(item: Readonly<Record<string, unknown>>): bigint {
  let bitmap = 0n;
  for (let word = 0; word * WORD_SIZE < BLOCK_SIZE; word += 1) {
    const bits = item[`w${word}`];
    if (typeof bits === "number" || typeof bits === "bigint")
      bitmap |= BigInt(bits) << BigInt(word * WORD_SIZE);
  }
  return bitmap;
}

/** A word of a block's entry that is not what it should be. */
export interface WordChange {
  readonly attribute: string;
  /** What it is; undefined for an attribute that is not there. */
  readonly from: bigint | undefined;
  readonly to: bigint;
}

/**
 * Compares a block's entry in the books with the records that there are.
 *
 * @param item the block's entry; empty where there is none
 * @param block whose entry it is
 * @param last the greatest id of which it is known whether it names a record; later ones stay as they are
 * @param existing the ids of the block's records
 * @returns the words that have to change, and how many ids that enters as gone and takes out again
 */
export function compareBlock(
  item: Readonly<Record<string, unknown>>,
  block: number,
  last: number,
  existing: ReadonlySet<number>,
): { changes: WordChange[]; entered: number; cleared: number } {
  const changes: WordChange[] = [];
  let entered = 0;
  let cleared = 0;
  for (let word = 0; word * WORD_SIZE < BLOCK_SIZE; word += 1) {
    const attribute = `w${word}`;
    const stored = item[attribute];
    const seen = typeof stored === "number" || typeof stored === "bigint" ? BigInt(stored) : undefined;
    const from = seen ?? 0n;
    const first = block * BLOCK_SIZE + word * WORD_SIZE + 1;
    let to = 0n;
    for (let position = 0; position < WORD_SIZE; position += 1) {
      const bit = 1n << BigInt(position);
      const isGone = first + position > last ? (from & bit) !== 0n : !existing.has(first + position);
      if (isGone) to |= bit;
    }
    if (from === to) continue;
    changes.push({ attribute, from: seen, to });
    entered += bitsSet(to & ~from);
    cleared += bitsSet(from & ~to);
  }
  return { changes, entered, cleared };
}

/** How many records there are. */
export function countOf(books: AllocatedIds): number {
  let count = books.last;
  for (const bitmap of books.deleted.values()) count -= bitsSet(bitmap);
  return count;
}

/** The blocks that hold any record, in order. */
export function occupiedBlocks(books: AllocatedIds): number[] {
  return blocks(books).filter((block) => liveCount(books, block) > 0);
}

/**
 * Finds a page without reading what stands before it.
 *
 * @param books the table's books
 * @param offset how many records to pass over, in id order
 * @param size how many records to take at most
 * @returns the runs of ids that hold just these records, in order; none beyond the end
 */
export function locate(books: AllocatedIds, offset: number, size: number): IdRange[] {
  const runs: IdRange[] = [];
  let skip = offset;
  let left = size;
  for (const block of blocks(books)) {
    if (left <= 0) break;
    const live = liveCount(books, block);
    if (skip >= live) {
      skip -= live;
      continue;
    }
    const take = Math.min(left, live - skip);
    const first = block * BLOCK_SIZE + 1;
    const gone = books.deleted.get(block) ?? 0n;
    runs.push({ block, from: first + positionOf(gone, skip), to: first + positionOf(gone, skip + take - 1) });
    left -= take;
    skip = 0;
  }
  return runs;
}

function blocks(books: AllocatedIds): number[] {
  return books.last === 0 ? [] : Array.from({ length: blockOf(books.last) + 1 }, (_, block) => block);
}

function liveCount(books: AllocatedIds, block: number): number {
  const given = Math.min(BLOCK_SIZE, books.last - block * BLOCK_SIZE);
  return given - bitsSet(books.deleted.get(block) ?? 0n);
}

/** The position of the rank-th bit that is not set, ranks from 0. */
function positionOf(gone: bigint, rank: number): number {
  if (gone === 0n) return rank;
  const bits = gone.toString(2);
  let live = -1;
  let position = -1;
  while (live < rank) {
    position += 1;
    if (bits[bits.length - 1 - position] !== "1") live += 1;
  }
  return position;
}

function bitsSet(bitmap: bigint): number {
  let count = 0;
  for (const bit of bitmap.toString(2)) if (bit === "1") count += 1;
  return count;
}
