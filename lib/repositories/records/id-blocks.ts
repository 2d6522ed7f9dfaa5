/** Ids per partition key. A full list queries the blocks in parallel. */
export const BLOCK_SIZE = 1_000;

/** Ids per number attribute: a DynamoDB number holds 38 digits, which is 126 bits, and 8 × 125 is a block. */
const WORD_SIZE = 125;

/** The allocated ids of one table, and which of them are deleted. */
export interface AllocatedIds {
  /** The last allocated id; 0 before the first. */
  readonly last: number;
  /** The deleted ids of each block as a bitmap: bit 0 is the block's first id. */
  readonly deleted: ReadonlyMap<number, bigint>;
}

/** Consecutive ids of one block, both ends inclusive. Deleted ids may be among them. */
export interface IdRange {
  readonly block: number;
  readonly from: number;
  readonly to: number;
}

/** The block of an id; ids count from 1, blocks from 0. */
export function blockOf(id: number): number {
  return Math.floor((id - 1) / BLOCK_SIZE);
}

/** The key of the record with an id: its block's number and the id. */
export function recordKey(id: number): { pk: string; sk: number } {
  return { pk: String(blockOf(id)), sk: id };
}

/** The ids of a block, without its bounds: the partition key already limits the query. */
export function wholeBlock(block: number): IdRange {
  return { block, from: 1, to: Number.MAX_SAFE_INTEGER };
}

/**
 * How to mark an id as deleted: adding 2^k to a number sets its bit k, without a read or a condition. Adding it
 * twice would set the next bit, so it belongs in the transaction that deletes the record.
 *
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
 * Joins the number attributes of a block to its bitmap of deleted ids.
 *
 * @param item the block's stored bitmap item
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

/** A number attribute of a bitmap item that has to change. */
export interface WordChange {
  readonly attribute: string;
  /** The stored value; undefined if the attribute does not exist. */
  readonly from: bigint | undefined;
  readonly to: bigint;
}

/** The difference between a block's bitmap and its records. */
export interface BitmapDifference {
  readonly changes: readonly WordChange[];
  /** How many ids have no record and are not marked as deleted. */
  readonly unmarked: number;
  /** How many ids are marked as deleted although their record exists. */
  readonly mismarked: number;
}

/**
 * Compares the bitmap of a block with the block's records.
 *
 * @param item the block's stored bitmap item; empty if there is none
 * @param last the bits of later ids stay as they are
 * @param existing the ids of the block's records
 */
export function compareBitmap(
  item: Readonly<Record<string, unknown>>,
  block: number,
  last: number,
  existing: ReadonlySet<number>,
): BitmapDifference {
  const changes: WordChange[] = [];
  let unmarked = 0;
  let mismarked = 0;
  for (let word = 0; word * WORD_SIZE < BLOCK_SIZE; word += 1) {
    const attribute = `w${word}`;
    const stored = item[attribute];
    const from = typeof stored === "number" || typeof stored === "bigint" ? BigInt(stored) : undefined;
    const before = from ?? 0n;
    const first = block * BLOCK_SIZE + word * WORD_SIZE + 1;
    let to = 0n;
    for (let position = 0; position < WORD_SIZE; position += 1) {
      const bit = 1n << BigInt(position);
      const isDeleted = first + position > last ? (before & bit) !== 0n : !existing.has(first + position);
      if (isDeleted) to |= bit;
    }
    if (before === to) continue;
    changes.push({ attribute, from, to });
    unmarked += bitsSet(to & ~before);
    mismarked += bitsSet(before & ~to);
  }
  return { changes, unmarked, mismarked };
}

/** The number of records. */
export function countOf(ids: AllocatedIds): number {
  let count = ids.last;
  for (const bitmap of ids.deleted.values()) count -= bitsSet(bitmap);
  return count;
}

/** The blocks with at least one record, in ascending order. */
export function occupiedBlocks(ids: AllocatedIds): number[] {
  return blocks(ids).filter((block) => recordsIn(ids, block) > 0);
}

/**
 * Finds the ids of a page without reading the records before it.
 *
 * @param offset how many records to skip, in id order
 * @param size how many records to take at most
 * @returns the ranges that hold exactly these records, in ascending order; none beyond the end
 */
export function locate(ids: AllocatedIds, offset: number, size: number): IdRange[] {
  const ranges: IdRange[] = [];
  let toSkip = offset;
  let toTake = size;
  for (const block of blocks(ids)) {
    if (toTake <= 0) break;
    const count = recordsIn(ids, block);
    if (toSkip >= count) {
      toSkip -= count;
      continue;
    }
    const taken = Math.min(toTake, count - toSkip);
    const first = block * BLOCK_SIZE + 1;
    const deleted = ids.deleted.get(block) ?? 0n;
    ranges.push({
      block,
      from: first + positionOf(deleted, toSkip),
      to: first + positionOf(deleted, toSkip + taken - 1),
    });
    toTake -= taken;
    toSkip = 0;
  }
  return ranges;
}

function blocks(ids: AllocatedIds): number[] {
  return ids.last === 0 ? [] : Array.from({ length: blockOf(ids.last) + 1 }, (_, block) => block);
}

function recordsIn(ids: AllocatedIds, block: number): number {
  const allocated = Math.min(BLOCK_SIZE, ids.last - block * BLOCK_SIZE);
  return allocated - bitsSet(ids.deleted.get(block) ?? 0n);
}

/** The position of the bit with a rank among the bits that are not set; ranks count from 0. */
function positionOf(deleted: bigint, rank: number): number {
  if (deleted === 0n) return rank;
  const bits = deleted.toString(2);
  let unset = -1;
  let position = -1;
  while (unset < rank) {
    position += 1;
    if (bits[bits.length - 1 - position] !== "1") unset += 1;
  }
  return position;
}

function bitsSet(bitmap: bigint): number {
  let count = 0;
  for (const bit of bitmap.toString(2)) if (bit === "1") count += 1;
  return count;
}
