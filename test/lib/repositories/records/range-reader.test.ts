import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { ReadBudget } from "../../../../lib/domain/read-budget.ts";
import { COUNTER_KEY, IdAllocation } from "../../../../lib/repositories/records/id-allocation.ts";
import { BLOCK_SIZE, blockOf } from "../../../../lib/repositories/records/id-blocks.ts";
import {
  type CursorPage,
  MAX_LENGTH_READ,
  type RangeQuery,
  readRange,
} from "../../../../lib/repositories/records/range-reader.ts";
import { type RecordOf, RecordRepository } from "../../../../lib/repositories/records/record-repository.ts";
import { budgetOf } from "../../../support/data/budgets.ts";
import { engines, fill, recordTable, testClient } from "../../../support/database/database.ts";
import { injectFaults } from "../../../support/database/faults.ts";
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
    return {
      records: new RecordRepository<Note>(client, table, StoredNote),
      cost: meter(client),
      client,
      table,
    };
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
          expect(page.next).toBe(
            limit !== undefined && expected.length > limit ? expected[limit - 1] : undefined,
          );
        },
      ),
      { numRuns: scaled(30) },
    );
  });

  it("has no gap, even if a later block is read before an earlier one is full", async () => {
    const { client, table } = await notes(last, (id) => `note ${id}`);
    const { promise: laterIsRead, resolve: readLater } = Promise.withResolvers<void>();
    async function* query({ block }: { block: number }) {
      if (block === 1) await laterIsRead;
      if (block === 2) readLater();
      const id = block * BLOCK_SIZE + 1;
      yield { items: block === 0 ? [] : [{ id }], readTo: block === 1 ? id : undefined };
    }
    const page = await readRange(new IdAllocation(client, table), query, { maxLength: 1 });

    expect(page).toEqual({ records: [{ id: BLOCK_SIZE + 1 }], next: BLOCK_SIZE + 1 });
  });

  it("reads neither the records before it nor those after it", async () => {
    const { records, cost } = small;

    const all = await cost(() => records.list());
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
    for (let after: number | undefined = 0; after !== undefined; pages += 1) {
      const page = await records.list({ after });
      seen.push(...ids(page));
      after = page.next;
    }

    expect(pages).toBeGreaterThan(1);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  it("without a limit reads little more than one response can hold", async () => {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    const text = "x".repeat(7_000);
    const sk = Array.from({ length: 20 * 100 }, (_, i) => Math.floor(i / 100) * BLOCK_SIZE + (i % 100) + 1);
    await fill(client, table, [{ ...COUNTER_KEY, last: 20 * BLOCK_SIZE }]);
    await fill(
      client,
      table,
      sk.map((id) => ({ pk: String(blockOf(id)), sk: id, text })),
    );
    const records = new RecordRepository<Note>(client, table, StoredNote);
    const { units } = await meter(client)(() => records.list());

    expect(units * 4_096).toBeGreaterThan(MAX_LENGTH_READ);
    expect(units * 4_096).toBeLessThan(1.4 * MAX_LENGTH_READ);
  });

  it("reads as much as a filter needs, in the order of the ids", async () => {
    const { records, cost } = small;
    const list = (query: RangeQuery<Note>) => cost(() => records.list({ limit: 10, ...query }));

    expect(await list({ filter: ({ id }) => id % 2 === 0 })).toMatchObject({ calls: 2, units: 2 });
    expect(await list({ filter: ({ id }) => id % 2 === 0, order: "descending" })).toMatchObject({
      calls: 3,
      units: 3,
    });
    const firstBlock = await list({ filter: ({ id }) => id <= 11 || id % 100 === 0 });
    expect(firstBlock).toMatchObject({ calls: 2 });
    const all = await list({ filter: () => false });
    expect(all.units).toBeGreaterThan(5 * firstBlock.units);
  });

  it("in descending order is that part of the list", async () => {
    const seen: number[] = [];
    for (let after: number | undefined = Number.MAX_SAFE_INTEGER; after !== undefined; ) {
      const query = {
        after,
        limit: 30,
        order: "descending",
        filter: ({ id }: Note) => id % 7 === 0,
      } as const;
      const page: CursorPage<Note> = await small.records.list(query);
      seen.push(...ids(page));
      after = page.next;
    }
    const expected = Array.from({ length: Math.floor(last / 7) }, (_, i) => 7 * (i + 1)).reverse();
    expect(seen).toEqual(expected);
  });

  it.each(["ascending", "descending"] as const)(
    "ends where its budget does, and continues there without a gap, %s",
    async (order) => {
      const filter = ({ id }: Note) => id % 400 === 0;
      const seen: number[] = [];
      let parts = 0;
      let empty = 0;
      for (
        let after: number | undefined = order === "ascending" ? 0 : last + 1;
        after !== undefined;
        parts += 1
      ) {
        const page: CursorPage<Note> = await small.records.list(
          { after, limit: 10, filter, order },
          budgetOf(4_096),
        );
        if (page.records.length === 0) empty += 1;
        seen.push(...ids(page));
        after = page.next;
      }
      const expected = [400, 800, 1_200, 1_600, 2_000];
      expect(seen).toEqual(order === "ascending" ? expected : expected.reverse());
      expect(empty).toBeGreaterThan(0);
      expect(parts).toBeGreaterThan(3);
    },
  );

  it("fails if its budget allows nothing, and if a complete read exceeds it", async () => {
    const exceeded = {
      code: "ServiceUnavailable",
      message: expect.stringContaining("more records than one request"),
    };
    await expect(small.records.list({}, budgetOf(0))).rejects.toMatchObject(exceeded);
    const visit = (budget: ReadBudget) => small.records.forEach(["text"], () => {}, budget);
    await expect(visit(budgetOf(4_096))).rejects.toMatchObject(exceeded);
    await visit(budgetOf());
  });

  it("ends when the time is over, also in the middle of a call", async () => {
    const { records, client } = await notes(BLOCK_SIZE + 5, String);
    const time = new AbortController();
    injectFaults(client, (operation, attempt) => {
      // The first two queries read the allocated ids and the first block.
      if (operation === "Query" && attempt === 3) time.abort();
      return undefined;
    });
    const page = await records.list(
      { filter: ({ id }) => id > BLOCK_SIZE },
      new ReadBudget(() => time.signal),
    );

    expect(page).toEqual({ records: [], next: BLOCK_SIZE });
  });

  it("of an empty table is empty", async () => {
    const { records } = await notes(0, String);
    for (const query of [{}, { limit: 1 }, { after: 5 }, { after: Number.MAX_SAFE_INTEGER - 1, limit: 1 }])
      expect(await records.list(query)).toEqual({ records: [], next: undefined });
  });
});
