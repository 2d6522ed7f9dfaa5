/** Ids per partition key. A full list queries the blocks in parallel. */
export const BLOCK_SIZE = 1_000;

/** A DynamoDB number holds 38 digits, or 126 bits, and 8 × 125 is a block. */
const WORD_SIZE = 125;
const WORDS = Array.from({ length: BLOCK_SIZE / WORD_SIZE }, (_, i) => `w${i}`);

/** 16 bitmaps have less than 4 KB, one read unit. */
const BLOCKS_PER_GROUP = 16;
export const GROUP_SIZE = BLOCK_SIZE * BLOCKS_PER_GROUP;

export interface AllocatedIds {
  readonly last: number;
  readonly deleted: ReadonlyMap<number, number>;
}

interface GroupShare {
  readonly group: number;
  readonly skip: number;
  readonly take: number;
}

/** Consecutive ids of one block, both ends inclusive. Deleted ids may be among them. */
export interface IdRange {
  readonly block: number;
  readonly from: number;
  readonly to: number;
}

export function blockOf(id: number): number {
  return Math.floor((id - 1) / BLOCK_SIZE);
}

export function groupOf(block: number): number {
  return Math.floor(block / BLOCKS_PER_GROUP);
}

function blocksOf(group: number, last: number): number[] {
  const blocks: number[] = [];
  const end = Math.min((group + 1) * BLOCKS_PER_GROUP, blockOf(last) + 1);
  for (let block = group * BLOCKS_PER_GROUP; block < end; block += 1) blocks.push(block);
  return blocks;
}

export function recordKey(id: number): { pk: string; sk: number } {
  return { pk: String(blockOf(id)), sk: id };
}

export function wholeBlock(block: number): IdRange {
  const to = Math.min(Number.MAX_SAFE_INTEGER, (block + 1) * BLOCK_SIZE);
  return { block, from: block * BLOCK_SIZE + 1, to };
}

/** Marks an id as deleted: adding 2^k sets bit k without a read. Adding it twice would set the next bit. */
export function tombstoneBit(id: number): { block: number; attribute: string; bit: bigint } {
  const offset = (id - 1) % BLOCK_SIZE;
  return {
    block: blockOf(id),
    attribute: `w${Math.floor(offset / WORD_SIZE)}`,
    bit: 1n << BigInt(offset % WORD_SIZE),
  };
}

/** The bitmap of deleted ids of a block. Attributes of another type count as 0. */
export function bitmapOf(item: Readonly<Record<string, unknown>>): bigint {
  return WORDS.reduce((bits, name, i) => bits | ((wordOf(item, name) ?? 0n) << BigInt(i * WORD_SIZE)), 0n);
}

function wordOf(item: Readonly<Record<string, unknown>>, attribute: string): bigint | undefined {
  const bits = item[attribute];
  const isBitmap = Number.isSafeInteger(bits) || typeof bits === "bigint";
  return isBitmap && Number(bits) >= 0 ? BigInt(bits as number | bigint) : undefined;
}

/**
 * Compares the bitmap of a block with its records. The bits of ids after `last` stay as they are.
 * @returns attributes to change; how many ids have neither record nor mark (`unmarked`), or both (`mismarked`); how
 *   many attributes are no bitmaps (`malformed`)
 */
export function compareBitmap(
  item: Readonly<Record<string, unknown>>,
  block: number,
  last: number,
  existing: ReadonlySet<number>,
) {
  const changes: { readonly attribute: string; readonly from: unknown; readonly to: bigint }[] = [];
  const difference = { unmarked: 0, mismarked: 0, malformed: 0 };
  for (const [word, attribute] of WORDS.entries()) {
    const from = item[attribute];
    const bits = wordOf(item, attribute);
    const before = bits ?? 0n;
    const to = deletedBits(before, block * BLOCK_SIZE + word * WORD_SIZE + 1, last, existing);
    if (from === undefined ? to === 0n : bits === to) continue;
    changes.push({ attribute, from, to });
    difference.unmarked += bitsSet(to & ~before);
    difference.mismarked += bitsSet(before & ~to);
    if (from !== undefined && bits === undefined) difference.malformed += 1;
  }
  return { changes, ...difference };
}

/** The bits of the ids from `first` on that do not exist. Those of ids after `last` stay as they are. */
function deletedBits(before: bigint, first: number, last: number, existing: ReadonlySet<number>): bigint {
  let bits = 0n;
  for (let position = 0; position < WORD_SIZE; position += 1) {
    const bit = 1n << BigInt(position);
    if (first + position > last ? (before & bit) !== 0n : !existing.has(first + position)) bits |= bit;
  }
  return bits;
}

/** Not negative, even if a number of deleted ids is wrong. */
function recordsPerGroup({ last, deleted }: AllocatedIds): number[] {
  const counts: number[] = [];
  for (let group = 0; group * GROUP_SIZE < last; group += 1) {
    const allocated = Math.min(GROUP_SIZE, last - group * GROUP_SIZE);
    counts.push(Math.min(allocated, Math.max(0, allocated - (deleted.get(group) ?? 0))));
  }
  return counts;
}

export function countOf(ids: AllocatedIds): number {
  let total = 0;
  for (const count of recordsPerGroup(ids)) total += count;
  return total;
}

export function occupiedBlocks(ids: AllocatedIds): number[] {
  return recordsPerGroup(ids).flatMap((count, group) => (count > 0 ? blocksOf(group, ids.last) : []));
}

/** Divides a page among the groups of blocks, in ascending order. */
export function sharesOf(ids: AllocatedIds, offset: number, size: number): GroupShare[] {
  const shares: GroupShare[] = [];
  let first = 0;
  for (const [group, count] of recordsPerGroup(ids).entries()) {
    const skip = Math.max(0, offset - first);
    const take = Math.min(count, offset + size - first) - skip;
    if (take > 0) shares.push({ group, skip, take });
    first += count;
  }
  return shares;
}

/** The ids of a page within a group, ascending. @param bitmaps by block, if it has any */
export function locate({ group, skip, take }: GroupShare, last: number, bitmaps: Map<number, bigint>) {
  const blocks = blocksOf(group, last);
  const existing = blocks.flatMap((block) => existingIds(block, last, bitmaps.get(block) ?? 0n));
  return existing.slice(skip, skip + take);
}

function existingIds(block: number, last: number, deleted: bigint): number[] {
  const ids: number[] = [];
  const bits = deleted.toString(2);
  const { from, to } = wholeBlock(block);
  for (let id = from; id <= Math.min(to, last); id += 1)
    if (bits[bits.length - 1 - (id - from)] !== "1") ids.push(id);
  return ids;
}

export function bitsSet(bitmap: bigint): number {
  let count = 0;
  for (const bit of bitmap.toString(2)) if (bit === "1") count += 1;
  return count;
}
