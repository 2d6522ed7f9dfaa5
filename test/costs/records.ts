import { beforeAll, describe, expect, it } from "vitest";
import { bitmapKey, COUNTER_KEY, deletedCountKey } from "../../lib/records/id-allocation.ts";
import { BLOCK_SIZE, GROUP_SIZE, groupOf, recordKey, tombstoneBit } from "../../lib/records/id-blocks.ts";
import { notesIn } from "../support/data/notes.ts";
import { engines, fill, recordTable, testClient } from "../support/database/database.ts";
import { meter, type Usage } from "../support/programs/usage.ts";
import { MAX_FILLED, recordSizes } from "./sizes.ts";

/** About as long as a todo: 100 bytes with the keys. */
const text = "x".repeat(80);

// Capacity figures come from the engine that counts transactions as AWS does.
const { endpoint } = engines[0] ?? { endpoint: "" };

/** A table whose ids up to `last` are allocated, of which those that `isDeleted` selects are deleted. */
async function tableOf(last: number, isDeleted: (id: number) => boolean) {
  const client = testClient(endpoint);
  const table = await recordTable(endpoint);
  const bitmaps = new Map<number, Record<string, bigint>>();
  const counts = new Map<number, number>();
  const items: Record<string, unknown>[] = [];
  const isNear = (id: number, distance: number) =>
    last <= MAX_FILLED || [1, GROUP_SIZE, last].some((place) => Math.abs(place - id) <= distance);
  for (let id = 1; id <= last; id += 1) {
    if (isDeleted(id)) {
      const { block, attribute, bit } = tombstoneBit(id);
      const group = groupOf(block);
      counts.set(group, (counts.get(group) ?? 0) + 1);
      if (!isNear(id, GROUP_SIZE)) continue;
      const words = bitmaps.get(block) ?? {};
      words[attribute] = (words[attribute] ?? 0n) + bit;
      bitmaps.set(block, words);
    } else if (isNear(id, 2 * BLOCK_SIZE)) items.push({ ...recordKey(id), text });
  }
  await fill(client, table, [
    { ...COUNTER_KEY, last },
    ...[...counts].map(([group, n]) => ({ ...deletedCountKey(group), n })),
    ...[...bitmaps].map(([block, words]) => ({ ...bitmapKey(block), ...words })),
    ...items,
  ]);
  return { usage: meter(client), records: notesIn(client, table) };
}

/** The usage of pages of a table in which two of three ids are deleted; undefined for a page that it does not have. */
async function pagesAfterDeletions(size: number): Promise<Map<string, Usage | undefined>> {
  const { usage, records } = await tableOf(size, (id) => id % 3 !== 0);
  const total = Math.floor(size / 3);
  const read = async (offset: number) => {
    const length = Math.min(10, total - offset);
    const page = await records.page(offset, 10);
    expect(page.records.map(({ id }) => id)).toEqual(Array.from({ length }, (_, i) => 3 * (offset + 1 + i)));
    expect(page.total).toBe(total);
  };
  const used = new Map<string, Usage | undefined>();
  for (const [name, offset] of [
    ["first page of 10", 0],
    ["last page of 10", Math.max(0, total - 10)],
    ["page of 10 in two blocks", Math.floor(BLOCK_SIZE / 3) - 5],
    ["page of 10 in two groups of blocks", Math.floor(GROUP_SIZE / 3) - 5],
  ] as const) {
    const exists = offset + 5 < total || offset === 0;
    used.set(name, exists ? await usage(() => read(offset)) : undefined);
  }
  return used;
}

/** Tests the costs of the record repository. @returns operation → its usage at each size */
export function recordCosts(): ReadonlyMap<string, readonly (Usage | undefined)[]> {
  const rows = new Map<string, (Usage | undefined)[]>();
  describe("the cost of records", () => {
    beforeAll(async () => {
      for (const size of recordSizes) {
        const { usage, records } = await tableOf(size, () => false);
        const add = (name: string, used?: Usage) => rows.set(name, [...(rows.get(name) ?? []), used]);
        const measure = async (name: string, work: () => Promise<unknown>) => add(name, await usage(work));
        await measure("read one", () => records.get(1));
        await measure("first page of 10", () => records.page(0, 10));
        await measure("last page of 10", () => records.page(size - 10, 10));
        await measure("newest 10", () => records.page(0, 10, "descending"));
        if (size <= MAX_FILLED)
          await measure("list all", () => records.list({ maxLength: Number.POSITIVE_INFINITY }));
        else add("list all");
        await measure("count", () => records.page(0, 0));
        await measure("create", () => records.create({ text }, undefined));
        await measure("update", () => records.update(1, { text }));
        await measure("delete", () => records.remove(1));

        for (const [name, used] of await pagesAfterDeletions(size))
          add(`${name}, two of three ids deleted`, used);
      }
    }, 1_200_000);

    /** Its usage at the sizes at which it exists, at least one. */
    function cost(name: string): Usage[] {
      const known = (rows.get(name) ?? []).filter((usage) => usage !== undefined);
      if (known.length === 0) throw new Error(`${name} was not measured`);
      return known;
    }

    it("is the same for the last page as for the first, also after many deletions", () => {
      const first = cost("first page of 10");
      for (const usage of first) expect(usage).toEqual({ calls: 2, inSequence: 2, units: 2 });
      expect([cost("last page of 10"), cost("newest 10")]).toEqual([first, first]);
      const afterDeletions = (page: string) => cost(`${page} page of 10, two of three ids deleted`);
      expect(afterDeletions("last")).toEqual(afterDeletions("first"));
    });

    it("is at most 3 calls in sequence and 8 units for any page of ten million ids, two of three deleted", () => {
      expect(recordSizes.at(-1)).toBe(10_000_000);
      const pages = [...rows.keys()].filter((name) => name.includes("page of 10"));
      expect(pages).toHaveLength(6);
      for (const { inSequence, units } of pages.flatMap(cost)) {
        expect(inSequence).toBeLessThanOrEqual(3);
        expect(units).toBeLessThanOrEqual(8);
      }
    });

    it("is what the bytes cost to list all, in two steps", () => {
      for (const [i, { inSequence, units, calls }] of cost("list all").entries()) {
        const size = recordSizes[i] ?? Number.NaN;
        const inBlocks = Math.ceil(size / BLOCK_SIZE);
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
