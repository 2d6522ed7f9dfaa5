import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BLOCK_SIZE,
  bitmapOf,
  blockOf,
  countOf,
  GROUP_SIZE,
  groupOf,
  locate,
  occupiedBlocks,
  sharesOf,
  tombstoneBit,
} from "../../../../lib/repositories/records/id-blocks.ts";

/** The bitmap items of the blocks after ids have been marked as deleted one by one, as DynamoDB adds them. */
function bitmapItems(deleted: Iterable<number>): Map<number, Record<string, bigint>> {
  const items = new Map<number, Record<string, bigint>>();
  for (const id of deleted) {
    const { block, attribute, bit } = tombstoneBit(id);
    const item = items.get(block) ?? {};
    item[attribute] = (item[attribute] ?? 0n) + bit;
    items.set(block, item);
  }
  return items;
}

/** The numbers of deleted ids of the groups. */
function deletedCounts(deleted: Iterable<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const id of deleted) {
    const group = groupOf(blockOf(id));
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}

/** Allocated ids of up to three groups and the ids of the remaining records, with dense and empty stretches. */
const largest = 2 * GROUP_SIZE + 2 * BLOCK_SIZE;
const histories = fc
  .record({
    last: fc.oneof(fc.nat(largest), fc.constantFrom(BLOCK_SIZE, GROUP_SIZE, GROUP_SIZE + 1)),
    singles: fc.array(fc.nat(largest), { maxLength: 60 }),
    stretch: fc.tuple(fc.nat(largest), fc.nat(largest)),
  })
  .map(({ last, singles, stretch: [from, length] }) => {
    const gone = new Set(singles.map((single) => single + 1));
    for (let id = from + 1; id <= from + length; id += 1) gone.add(id);
    const ids = Array.from({ length: last }, (_, i) => i + 1);
    const deleted = ids.filter((id) => gone.has(id));
    const bitmaps = [...bitmapItems(deleted)].map(([block, item]) => [block, bitmapOf(item)] as const);
    return {
      allocated: { last, deleted: deletedCounts(deleted) },
      bitmaps: new Map(bitmaps),
      live: ids.filter((id) => !gone.has(id)),
    };
  });
const options = { numRuns: 40 };

describe("allocated ids", () => {
  it("count the records", () => {
    fc.assert(
      fc.property(histories, ({ allocated, live }) => {
        expect(countOf(allocated)).toBe(live.length);
      }),
      options,
    );
  });

  it("locate exactly the records of any page", () => {
    fc.assert(
      fc.property(histories, fc.nat(largest), fc.nat(1_500), (history, position, size) => {
        const { allocated, bitmaps, live } = history;
        const offset = position % (live.length + 2);
        const shares = sharesOf(allocated, offset, size);
        const ranges = shares.flatMap((share) => locate(share, allocated.last, bitmaps));
        const found = ranges.flatMap(({ from, to }) => live.filter((id) => id >= from && id <= to));
        expect(found).toEqual(live.slice(offset, offset + size));
        expect(ranges.flatMap(({ ids }) => ids)).toEqual(found);
        for (const { block, from, to } of ranges) {
          expect(blockOf(from)).toBe(block);
          expect(blockOf(to)).toBe(block);
        }
      }),
      options,
    );
  });

  it("find the blocks that can hold records: those of groups that hold some", () => {
    fc.assert(
      fc.property(histories, ({ allocated, live }) => {
        const groups = new Set(live.map((id) => groupOf(blockOf(id))));
        const blocks = Array.from({ length: blockOf(allocated.last) + 1 }, (_, block) => block);
        expect(occupiedBlocks(allocated)).toEqual(blocks.filter((block) => groups.has(groupOf(block))));
      }),
      options,
    );
  });

  it("join the words of a block to its bitmap", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: BLOCK_SIZE })), (ids) => {
        const bitmap = bitmapOf(bitmapItems(ids).get(0) ?? {});
        for (let id = 1; id <= BLOCK_SIZE; id += 1)
          expect((bitmap >> BigInt(id - 1)) & 1n).toBe(ids.includes(id) ? 1n : 0n);
      }),
      { numRuns: 20 },
    );
  });

  it("keep every word within a DynamoDB number's 38 digits", () => {
    const full = bitmapItems(Array.from({ length: BLOCK_SIZE }, (_, i) => i + 1)).get(0) ?? {};
    expect(Object.keys(full)).toEqual(["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"]);
    for (const word of Object.values(full)) expect(String(word).length).toBeLessThanOrEqual(38);
  });
});
