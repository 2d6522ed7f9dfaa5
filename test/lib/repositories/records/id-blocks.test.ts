import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AllocatedIds,
  BLOCK_SIZE,
  bitmapOf,
  countOf,
  locate,
  occupiedBlocks,
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

/** The ids 1 to `last` of which some are deleted. */
function allocatedIds(last: number, deleted: Iterable<number>): AllocatedIds {
  return {
    last,
    deleted: new Map([...bitmapItems(deleted)].map(([block, item]) => [block, bitmapOf(item)])),
  };
}

/** Allocated ids and the ids of the remaining records, with dense and empty stretches. */
const histories = fc
  .record({
    last: fc.integer({ min: 0, max: 3 * BLOCK_SIZE + 7 }),
    singles: fc.array(fc.nat(3 * BLOCK_SIZE + 6), { maxLength: 60 }),
    stretch: fc.tuple(fc.nat(3 * BLOCK_SIZE), fc.nat(2 * BLOCK_SIZE)),
  })
  .map(({ last, singles, stretch: [from, length] }) => {
    const deleted = new Set(singles.map((single) => single + 1));
    for (let id = from + 1; id <= from + length; id += 1) deleted.add(id);
    const ids = Array.from({ length: last }, (_, i) => i + 1);
    return {
      allocated: allocatedIds(
        last,
        ids.filter((id) => deleted.has(id)),
      ),
      live: ids.filter((id) => !deleted.has(id)),
    };
  });

describe("allocated ids", () => {
  it("count the records", () => {
    fc.assert(
      fc.property(histories, ({ allocated, live }) => {
        expect(countOf(allocated)).toBe(live.length);
      }),
    );
  });

  it("locate exactly the records of any page", () => {
    fc.assert(
      fc.property(histories, fc.nat(3_500), fc.nat(1_500), ({ allocated, live }, offset, size) => {
        const ranges = locate(allocated, offset, size);
        const found = ranges.flatMap(({ from, to }) => live.filter((id) => id >= from && id <= to));
        expect(found).toEqual(live.slice(offset, offset + size));
        for (const { block, from, to } of ranges) {
          expect(from).toBeGreaterThan(block * BLOCK_SIZE);
          expect(to).toBeLessThanOrEqual((block + 1) * BLOCK_SIZE);
        }
      }),
    );
  });

  it("find the blocks that hold records", () => {
    fc.assert(
      fc.property(histories, ({ allocated, live }) => {
        const blocks = new Set(live.map((id) => Math.floor((id - 1) / BLOCK_SIZE)));
        expect(occupiedBlocks(allocated)).toEqual([...blocks]);
      }),
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
