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
} from "../../../lib/records/id-blocks.ts";

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

/** Allocated ids of up to three groups and the ids of the remaining records, with dense and empty stretches. */
const largest = 2 * GROUP_SIZE + 2 * BLOCK_SIZE;
const histories = fc
  .record({
    last: fc.oneof(fc.nat(largest), fc.constantFrom(BLOCK_SIZE, GROUP_SIZE, GROUP_SIZE + 1)),
    singles: fc.array(fc.nat(largest), { maxLength: 60 }),
    stretch: fc.tuple(fc.nat(largest), fc.nat(largest)),
  })
  .map(({ last, singles, stretch: [from, length] }) => {
    const isDeleted = (id: number) => (id > from && id <= from + length) || singles.includes(id - 1);
    const ids = Array.from({ length: last }, (_, i) => i + 1);
    const deleted = ids.filter(isDeleted);
    const counts = new Map<number, number>();
    for (const group of deleted.map(blockOf).map(groupOf)) counts.set(group, (counts.get(group) ?? 0) + 1);
    const bitmaps = [...bitmapItems(deleted)].map(([block, item]) => [block, bitmapOf(item)] as const);
    return {
      allocated: { last, deleted: counts },
      bitmaps: new Map(bitmaps),
      live: ids.filter((id) => !isDeleted(id)),
    };
  });

describe("allocated ids", () => {
  it("count the records, and locate those of any page and the groups of blocks that have some", () => {
    fc.assert(
      fc.property(histories, fc.nat(largest), fc.nat(1_500), (history, position, size) => {
        const { allocated, bitmaps, live } = history;
        expect(countOf(allocated)).toBe(live.length);

        const offset = position % (live.length + 2);
        const shares = sharesOf(allocated, offset, size);
        const page = shares.flatMap((share) => locate(share, allocated.last, bitmaps));
        expect(page).toEqual(live.slice(offset, offset + size));

        const groups = new Set(live.map((id) => groupOf(blockOf(id))));
        const blocks = Array.from({ length: blockOf(allocated.last) + 1 }, (_, block) => block);
        expect(occupiedBlocks(allocated)).toEqual(blocks.filter((block) => groups.has(groupOf(block))));
      }),
      { numRuns: 60 },
    );
  });

  it("keep every word of a block within a DynamoDB number's 38 digits", () => {
    const full = bitmapItems(Array.from({ length: BLOCK_SIZE }, (_, i) => i + 1)).get(0) ?? {};
    expect(Object.keys(full)).toEqual(["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"]);
    for (const word of Object.values(full)) expect(String(word).length).toBeLessThanOrEqual(38);
    expect(bitmapOf(full)).toBe(2n ** BigInt(BLOCK_SIZE) - 1n);
  });
});
