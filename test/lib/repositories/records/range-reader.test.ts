import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { COUNTER_KEY } from "../../../../lib/repositories/records/id-allocation.ts";
import { BLOCK_SIZE, blockOf } from "../../../../lib/repositories/records/id-blocks.ts";
import { type RecordOf, RecordRepository } from "../../../../lib/repositories/records/record-repository.ts";
import { openShop } from "../../../support/data/shop.ts";
import { engines, fill, recordTable, testClient } from "../../../support/database/database.ts";
import { scaled } from "../../../support/effort.ts";
import { meter } from "../../../support/programs/usage.ts";

const StoredNote = z.object({ text: z.string() });
type Note = RecordOf<typeof StoredNote>;

const ids = ({ records }: { readonly records: readonly { id: number }[] }) => records.map(({ id }) => id);

describe.each(engines)("a cursor page on $name", async ({ endpoint }) => {
  const last = 2 * BLOCK_SIZE + 5;

  async function notes(count: number, textOf: (id: number) => string) {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    await fill(client, table, [{ ...COUNTER_KEY, last: count }]);
    for (let id = 1; id <= count; id += 10) {
      const some = Array.from({ length: Math.min(10, count - id + 1) }, (_, i) => id + i);
      await fill(
        client,
        table,
        some.map((sk) => ({ pk: String(blockOf(sk)), sk, text: textOf(sk) })),
      );
    }
    return { records: new RecordRepository<Note>(client, table, StoredNote), cost: meter(client) };
  }

  const small = await notes(last, (id) => `note ${id}`);

  it("is that part of the list, wherever it begins and ends", async () => {
    const all = Array.from({ length: last }, (_, i) => i + 1);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(last + 5), fc.constantFrom(BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1)),
        fc.option(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(BLOCK_SIZE)), { nil: undefined }),
        fc.option(fc.constantFrom(2, 7, 900), { nil: undefined }),
        async (after, limit, step) => {
          const filter = step === undefined ? undefined : ({ id }: Note) => id % step === 0;
          const expected = all.slice(after).filter((id) => step === undefined || id % step === 0);
          const page = await small.records.list({ after, limit, filter });
          expect(ids(page)).toEqual(expected.slice(0, limit));
          expect(page.hasMore).toBe(limit !== undefined && expected.length > limit);
        },
      ),
      { numRuns: scaled(30) },
    );
  });

  it("reads neither the records before it nor those after it", async () => {
    const { records, cost } = small;

    const all = await cost(() => records.all());
    expect(await cost(() => records.list({}))).toEqual(all);
    expect(await cost(() => records.list({ filter: () => true }))).toEqual(all);
    expect(await cost(() => records.list({ limit: 10 }))).toMatchObject({ calls: 2, units: 2 });
    expect(await cost(() => records.list({ after: last - 3, limit: 10 }))).toMatchObject({
      calls: 2,
      units: 2,
    });
  });

  it("ends after as much as one response can hold, and continues there without a gap", async () => {
    const { records } = await notes(60, () => "x".repeat(300 * 1024));
    const seen: number[] = [];
    let pages = 0;
    for (let after = 0, hasMore = true; hasMore; pages += 1) {
      const page = await records.list({ after });
      seen.push(...ids(page));
      after = seen.at(-1) ?? Number.NaN;
      hasMore = page.hasMore;
    }

    expect(pages).toBeGreaterThan(1);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  it("of an empty table is empty", async () => {
    const { records } = await notes(0, String);
    for (const query of [{}, { limit: 1 }, { after: 5 }, { after: Number.MAX_SAFE_INTEGER - 1, limit: 1 }])
      expect(await records.list(query)).toEqual({ records: [], hasMore: false });
  });

  it("of filtered orders is that part of them", async () => {
    const shop = await openShop(endpoint);
    const { id } = await shop.offer({ stock: 20 });
    for (let i = 0; i < 6; i += 1)
      await shop.placement.place((i % 2) + 1, [{ product_id: id, quantity: 1 }], undefined);
    await shop.orders.changeStatus(3, "paid");

    for (const filters of [
      {},
      { user_id: 1 },
      { status: "pending" as const },
      { user_id: 1, status: "paid" as const },
    ]) {
      const all = (await shop.orders.list(filters)).records.map((order) => order.id);
      const seen: number[] = [];
      for (let hasMore = true; hasMore; ) {
        const page = await shop.orders.list(filters, { after: seen.at(-1), limit: 2 });
        expect(page.records.length).toBeLessThanOrEqual(2);
        seen.push(...ids(page));
        hasMore = page.hasMore;
      }
      expect(seen).toEqual(all);
    }
  });
});
