import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { bitmapKey, COUNTER_KEY } from "../../lib/repositories/records/id-allocation.ts";
import { BLOCK_SIZE, blockOf, tombstoneBit } from "../../lib/repositories/records/id-blocks.ts";
import { type RecordOf, RecordRepository } from "../../lib/repositories/records/record-repository.ts";
import { engines, fill, recordTable, testClient } from "../support/database/database.ts";
import { meter, type Usage } from "../support/programs/usage.ts";
import { sizes } from "./sizes.ts";

const StoredNote = z.object({ text: z.string() });
type Note = RecordOf<typeof StoredNote>;

/** About as long as a todo: 100 bytes with the keys. */
const text = "x".repeat(80);

// Capacity figures come from the engine that counts transactions as AWS does.
const { endpoint } = engines[0] ?? { endpoint: "" };

/** A table with `count` records, of which those that `isDeleted` selects are deleted. */
async function tableOf(count: number, isDeleted: (id: number) => boolean) {
  const client = testClient(endpoint);
  const table = await recordTable(endpoint);
  const bitmaps = new Map<number, Record<string, bigint>>();
  const items: Record<string, unknown>[] = [];
  let last = 0;
  for (let live = 0; live < count; ) {
    last += 1;
    if (isDeleted(last)) {
      const { block, attribute, bit } = tombstoneBit(last);
      const entry = bitmaps.get(block) ?? {};
      bitmaps.set(block, { ...entry, [attribute]: (entry[attribute] ?? 0n) + bit });
    } else {
      live += 1;
      items.push({ pk: String(blockOf(last)), sk: last, text });
    }
  }
  const entries = [...bitmaps].map(([block, words]) => ({ ...bitmapKey(block), ...words }));
  await fill(client, table, [{ ...COUNTER_KEY, last }, ...entries, ...items]);
  return { usage: meter(client), records: new RecordRepository<Note>(client, table, StoredNote), last };
}

/**
 * Tests of the costs of the record repository's operations.
 *
 * @returns operation → its usage at each size
 */
export function recordCosts(): ReadonlyMap<string, readonly (Usage | undefined)[]> {
  const rows = new Map<string, (Usage | undefined)[]>();
  describe("the cost of records", () => {
    const blocks = new Map<number, number>();

    beforeAll(async () => {
      for (const size of sizes) {
        const { usage, records, last } = await tableOf(size, () => false);
        const churned = await tableOf(size, (id) => id % 3 !== 0);
        blocks.set(size, Math.ceil(last / BLOCK_SIZE));
        const add = (name: string, used: Usage | undefined) => {
          rows.set(name, [...(rows.get(name) ?? []), used]);
        };
        const measure = async (name: string, work: () => Promise<unknown>) => add(name, await usage(work));
        await measure("read one", () => records.get(1));
        await measure("first page of 10", () => records.page(0, 10));
        await measure("last page of 10", () => records.page(size - 10, 10));
        await measure("newest 10", () => records.page(0, 10, "descending"));
        await measure("list all", () => records.all());
        await measure("count", () => records.count());
        await measure("create", () => records.create({ text }, undefined));
        await measure("update", () => records.update(1, { text }));
        await measure("delete", () => records.remove(1));
        for (const [name, offset] of [
          ["first page of 10", 0],
          ["last page of 10", size - 10],
          ["page of 10 in two blocks", Math.floor(BLOCK_SIZE / 3) - 5],
        ] as const) {
          const isThere = offset + 10 <= size;
          const used = isThere ? await churned.usage(() => churned.records.page(offset, 10)) : undefined;
          add(`${name}, two of three ids deleted`, used);
        }
      }
    }, 120_000);

    /** Its usage at the sizes at which it exists, at least one. */
    function cost(name: string): Usage[] {
      const known = (rows.get(name) ?? []).filter((usage) => usage !== undefined);
      if (known.length === 0) throw new Error(`${name} was not measured`);
      return known;
    }

    it("is one call and one unit to read a record, whatever the table's size", () => {
      for (const usage of cost("read one")) expect(usage).toEqual({ calls: 1, inSequence: 1, units: 1 });
    });

    it("is two calls to create one, and one to update or delete one", () => {
      for (const usage of cost("create")) expect(usage).toEqual({ calls: 2, inSequence: 2, units: 2 });
      for (const usage of cost("update")) expect(usage).toEqual({ calls: 1, inSequence: 1, units: 1 });
      for (const usage of cost("delete")) expect(usage).toEqual({ calls: 1, inSequence: 1, units: 4 });
    });

    it("is the same for the last page as for the first", () => {
      expect(cost("last page of 10")).toEqual(cost("first page of 10"));
      expect(cost("newest 10")).toEqual(cost("first page of 10"));
      for (const { inSequence } of cost("first page of 10")) expect(inSequence).toBe(2);
    });

    it("is the same for both after many deletions", () => {
      const first = cost("first page of 10, two of three ids deleted");
      const last = cost("last page of 10, two of three ids deleted");
      expect(last).toEqual(first);
      for (const { inSequence } of last) expect(inSequence).toBe(2);
    });

    it("is one call more, and one unit at most, for a page that straddles two blocks", () => {
      const others = cost("first page of 10, two of three ids deleted").slice(1);
      const straddling = cost("page of 10 in two blocks, two of three ids deleted");
      expect(straddling).toHaveLength(others.length);
      for (const [i, { calls, inSequence, units }] of straddling.entries()) {
        expect({ calls, inSequence }).toEqual({ calls: 3, inSequence: 2 });
        expect(units).toBeLessThanOrEqual((others[i]?.units ?? 0) + 1);
      }
    });

    it("is what the bytes cost to list all, in two steps", () => {
      for (const [i, size] of sizes.entries()) {
        const { inSequence, units, calls } = cost("list all")[i] ?? { inSequence: 0, units: 0, calls: 0 };
        const inBlocks = blocks.get(size) ?? 0;
        const bytes = size * (2 + 2 + 2 + 4 + 4 + text.length);
        expect(inSequence).toBeLessThanOrEqual(2);
        expect(calls).toBe(inBlocks + 1);
        // A query rounds up to 4 KB once; so does the one of the allocated ids.
        expect(units).toBeLessThanOrEqual(bytes / 4096 + inBlocks + 1);
      }
    });
  });
  return rows;
}
