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

/** The blocks' entries after ids have been entered as gone, one after the other, the way the table does it. */
function entriesOf(gone: Iterable<number>): Map<number, Record<string, bigint>> {
  const items = new Map<number, Record<string, bigint>>();
  for (const id of gone) {
    const { block, attribute, bit } = tombstoneBit(id);
    const item = items.get(block) ?? {};
    item[attribute] = (item[attribute] ?? 0n) + bit;
    items.set(block, item);
  }
  return items;
}

/** The books of ids 1 to `last` of which some are gone. */
function booksOf(last: number, gone: Iterable<number>): AllocatedIds {
  return { last, deleted: new Map([...entriesOf(gone)].map(([block, item]) => [block, bitmapOf(item)])) };
}

/** A table's history: how many ids were drawn, and which of them are gone, with dense and empty stretches. */
const histories = fc
  .record({
    last: fc.integer({ min: 0, max: 3 * BLOCK_SIZE + 7 }),
    singles: fc.array(fc.nat(3 * BLOCK_SIZE + 6), { maxLength: 60 }),
    stretch: fc.tuple(fc.nat(3 * BLOCK_SIZE), fc.nat(2 * BLOCK_SIZE)),
  })
  .map(({ last, singles, stretch: [from, length] }) => {
    const gone = new Set(singles.map((single) => single + 1));
    for (let id = from + 1; id <= from + length; id += 1) gone.add(id);
    const ids = Array.from({ length: last }, (_, i) => i + 1);
    return {
      books: booksOf(
        last,
        ids.filter((id) => gone.has(id)),
      ),
      live: ids.filter((id) => !gone.has(id)),
    };
  });

describe("the books", () => {
  it("count the records", () => {
    fc.assert(
      fc.property(histories, ({ books, live }) => {
        expect(countOf(books)).toBe(live.length);
      }),
    );
  });

  it("locate just the records of any page", () => {
    fc.assert(
      fc.property(histories, fc.nat(3_500), fc.nat(1_500), ({ books, live }, offset, size) => {
        const runs = locate(books, offset, size);
        const found = runs.flatMap(({ from, to }) => live.filter((id) => id >= from && id <= to));
        expect(found).toEqual(live.slice(offset, offset + size));
        for (const { block, from, to } of runs) {
          expect(from).toBeGreaterThan(block * BLOCK_SIZE);
          expect(to).toBeLessThanOrEqual((block + 1) * BLOCK_SIZE);
        }
      }),
    );
  });

  it("name the blocks that hold records", () => {
    fc.assert(
      fc.property(histories, ({ books, live }) => {
        const blocks = new Set(live.map((id) => Math.floor((id - 1) / BLOCK_SIZE)));
        expect(occupiedBlocks(books)).toEqual([...blocks]);
      }),
    );
  });

  it("make a bitmap of the words that ids are entered in", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: BLOCK_SIZE })), (ids) => {
        const bitmap = bitmapOf(entriesOf(ids).get(0) ?? {});
        for (let id = 1; id <= BLOCK_SIZE; id += 1)
          expect((bitmap >> BigInt(id - 1)) & 1n).toBe(ids.includes(id) ? 1n : 0n);
      }),
      { numRuns: 20 },
    );
  });

  it("keep every word within a DynamoDB number's 38 digits", () => {
    const full = entriesOf(Array.from({ length: BLOCK_SIZE }, (_, i) => i + 1)).get(0) ?? {};
    expect(Object.keys(full)).toEqual(["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7"]);
    for (const word of Object.values(full)) expect(String(word).length).toBeLessThanOrEqual(38);
  });
});
