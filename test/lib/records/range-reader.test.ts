import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReadBudget } from "../../../lib/domain/read-budget.ts";
import { COUNTER_KEY, IdAllocation } from "../../../lib/records/id-allocation.ts";
import { BLOCK_SIZE, recordKey } from "../../../lib/records/id-blocks.ts";
import { type CursorPage, MAX_LENGTH_READ, readRange } from "../../../lib/records/range-reader.ts";
import { budgetOf } from "../../support/data/budgets.ts";
import { type Note, notesIn } from "../../support/data/notes.ts";
import { engines, fill, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { scaled } from "../../support/effort.ts";
import { meter } from "../../support/programs/usage.ts";

const ids = ({ records }: { readonly records: readonly { id: number }[] }) => records.map(({ id }) => id);

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** The ids of each page. */
async function readAll(read: (after?: number) => Promise<CursorPage<Note>>) {
  const pages: number[][] = [];
  let after: number | undefined;
  do {
    const page = await read(after);
    pages.push(ids(page));
    after = page.next;
  } while (after !== undefined);
  return pages;
}

describe.each(engines)("a cursor page on $name", async ({ endpoint }) => {
  const last = 2 * BLOCK_SIZE + 5;

  async function notes(ids: readonly number[], textOf: (id: number) => string) {
    const client = testClient(endpoint);
    const table = await recordTable(endpoint);
    await fill(client, table, [{ ...COUNTER_KEY, last: ids.at(-1) ?? 0 }]);
    const items = ids.map((id) => ({ ...recordKey(id), text: textOf(id) }));
    // A batch is limited to 16 MB.
    while (items.length > 0) await fill(client, table, items.splice(0, 10));
    const records = notesIn(client, table);
    return { records, cost: meter(client), client, table };
  }

  const small = await notes(numbers(last), (id) => `note ${id}`);

  it("is that part of the list, wherever it begins and ends, in both orders", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(last + 5), fc.constantFrom(BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1)),
        fc.option(fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(BLOCK_SIZE)), { nil: undefined }),
        fc.option(fc.constantFrom(0, 1, 15), { nil: undefined }),
        fc.constantFrom(1, 2, 7, 900),
        fc.constantFrom("ascending" as const, "descending" as const),
        async (after, limit, offset, step, order) => {
          const filter = step === 1 ? undefined : ({ id }: Note) => id % step === 0;
          const inList = numbers(last).filter((id) => id % step === 0);
          const isAscending = order === "ascending";
          const rest = inList.filter((id) => (isAscending ? id > after : id < after));
          const expected = (isAscending ? rest : rest.reverse()).slice(offset);
          const page = await small.records.list({ after, limit, offset, filter, order });
          expect(ids(page)).toEqual(expected.slice(0, limit));
          const next = limit !== undefined && expected.length > limit ? expected[limit - 1] : undefined;
          expect(page.next).toBe(next);
        },
      ),
      { numRuns: scaled(40) },
    );
  });

  it("has no gap, even if a later block is read before an earlier one is full", async () => {
    const { client, table } = small;
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

  it("reads neither the records before it nor those after it, but as much as a filter needs", async () => {
    const { records, cost } = small;
    const all = await cost(() => records.list());
    expect(await cost(() => records.list({ filter: () => true }))).toEqual(all);
    const isEven = ({ id }: Note) => id % 2 === 0;
    for (const [query, calls] of [
      [{}, 2],
      [{ after: last - 3 }, 2],
      [{ filter: isEven }, 2],
      [{ filter: isEven, order: "descending" }, 3],
    ] as const)
      expect(await cost(() => records.list({ limit: 10, ...query }))).toMatchObject({ calls, units: calls });
    const list = (filter: (note: Note) => boolean) => cost(() => records.list({ limit: 10, filter }));
    const firstBlock = await list(({ id }) => id <= 11 || id % 100 === 0);
    expect(firstBlock).toMatchObject({ calls: 2 });
    expect((await list(() => false)).units).toBeGreaterThan(5 * firstBlock.units);
  });

  it("ends after as much as one response can hold, and continues there without a gap", async () => {
    const { records } = await notes(numbers(60), () => "x".repeat(300 * 1024));
    const pages = await readAll((after = 0) => records.list({ after }));
    expect(pages).toHaveLength(3);
    expect(pages.flat()).toEqual(numbers(60));
  });

  it("without a limit reads little more than one response can hold", async () => {
    const sparse = numbers(20 * 100).map((i) => Math.floor((i - 1) / 100) * BLOCK_SIZE + ((i - 1) % 100) + 1);
    const { records, cost } = await notes(sparse, () => "x".repeat(7_000));
    const { units } = await cost(() => records.list());
    expect(units * 4_096).toBeGreaterThan(MAX_LENGTH_READ);
    expect(units * 4_096).toBeLessThan(1.4 * MAX_LENGTH_READ);
  });

  it.each(["ascending", "descending"] as const)("continues where its budget ended, %s", async (order) => {
    const filter = ({ id }: Note) => id % 400 === 0;
    const first = order === "ascending" ? 0 : last + 1;
    const pages = await readAll((after = first) =>
      small.records.list({ after, limit: 10, filter, order }, budgetOf(4_096)),
    );
    const expected = [400, 800, 1_200, 1_600, 2_000];
    expect(pages.flat()).toEqual(order === "ascending" ? expected : expected.reverse());
    expect(pages).toContainEqual([]);
    expect(pages.length).toBeGreaterThan(3);
  });

  it("fails if its budget allows nothing, and if a complete read exceeds it", async () => {
    const message = expect.stringContaining("too many records");
    const exceeded = { code: "ServiceUnavailable", message };
    await expect(small.records.list({}, budgetOf(0))).rejects.toMatchObject(exceeded);
    const visit = (budget: ReadBudget) => small.records.forEach(["text"], () => {}, budget);
    await expect(visit(budgetOf(4_096))).rejects.toMatchObject(exceeded);
    await visit(budgetOf());
  });

  it("ends when the time is over, also in the middle of a call", async () => {
    const { records, client } = await notes(numbers(BLOCK_SIZE + 5), String);
    const time = new AbortController();
    injectFaults(client, (operation, attempt) => {
      // The first two queries read the allocated ids and the first block.
      if (operation === "Query" && attempt === 3) time.abort();
      return undefined;
    });
    const page = await records.list({ filter: ({ id }) => id > 1_000 }, new ReadBudget(() => time.signal));

    expect(page).toEqual({ records: [], next: BLOCK_SIZE });
  });
});
