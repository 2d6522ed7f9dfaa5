import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { preconditionFailed } from "../../../lib/domain/errors.ts";
import type { RecordOf } from "../../../lib/records/record-reader.ts";
import { RecordRepository } from "../../../lib/records/record-repository.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { any } from "../../support/database/fault-area.ts";
import { meter } from "../../support/programs/usage.ts";
import { interruptedClient } from "../interrupted.ts";

const StoredNote = z.object({ text: z.string(), price: z.number() });
type Note = RecordOf<typeof StoredNote>;

const note = { text: "a", price: 1e-9 };
const refused = { code: "PreconditionFailed" };

describe.each(engines)("writes with a precondition on $name", ({ endpoint }) => {
  /** A note, and a repository that is interrupted before its first transaction. */
  async function withNote(meanwhile?: (other: RecordRepository<Note>) => Promise<unknown>) {
    const table = await recordTable(endpoint);
    const others = new RecordRepository<Note>(testClient(endpoint), table, StoredNote);
    await others.create(note, undefined);
    const client = interruptedClient(endpoint, "TransactWriteItems", async () => meanwhile?.(others));
    return { others, notes: new RecordRepository<Note>(client, table, StoredNote), cost: meter(client) };
  }

  it.each<[string, (others: RecordRepository<Note>) => Promise<unknown>]>([
    ["changed", (others) => others.update(1, { price: 2 })],
    ["deleted", (others) => others.remove(1)],
  ])("fail if the record is %s between the check and the write", async (change, meanwhile) => {
    const isCheap = ({ price }: Note) => {
      if (price !== note.price) throw preconditionFailed();
    };
    for (const write of [
      (notes: RecordRepository<Note>) => notes.update(1, { text: "b" }, isCheap),
      (notes: RecordRepository<Note>) => notes.remove(1, isCheap),
    ]) {
      const { notes, others } = await withNote(meanwhile);
      if (change === "deleted") expect(await write(notes)).toBeFalsy();
      else await expect(write(notes)).rejects.toMatchObject(refused);
      const records = change === "deleted" ? [] : [{ id: 1, text: "a", price: 2 }];
      expect(await others.page(0, 5)).toEqual({ records, total: records.length });
    }
  });

  it("change or remove a record that fulfils the precondition again", async () => {
    const meanwhile = (others: RecordRepository<Note>) => others.update(1, { price: 2 });
    const { notes } = await withNote(meanwhile);
    expect(await notes.update(1, { text: "b" }, any)).toMatchObject({ text: "b", price: 2 });
    expect(await (await withNote(meanwhile)).notes.remove(1, any)).toBe(true);

    // Also one that is as it was, and had no revision.
    const thereAndBack = async (others: RecordRepository<Note>) => {
      await others.update(1, { price: 2 });
      await others.update(1, note);
    };
    const check = vi.fn();
    expect(await (await withNote(thereAndBack)).notes.remove(1, check)).toBe(true);
    expect(check).toHaveBeenCalledTimes(2);
  });

  it("change two records at once, or none", async () => {
    let interruptions = 0;
    const { notes, others, cost } = await withNote(async (first) => {
      interruptions += 1;
      await first.update(2, { price: 5 });
    });
    await others.create({ ...note, price: 1 }, undefined);
    const move = (amount: number) =>
      notes.change(
        1,
        ({ price }) => ({ price: price - amount }),
        async () => {
          const other = await notes.prepareChange(2, ({ price }) => ({ price: price + amount }));
          if (other === undefined) throw preconditionFailed();
          return { other: other.write };
        },
      );
    expect(await move(1)).toMatchObject({ price: note.price - 1 });
    expect([(await notes.get(2))?.price, interruptions]).toEqual([6, 1]);
    expect(await cost(() => move(1))).toMatchObject({ calls: 3, inSequence: 3 });
    await others.remove(2);
    await expect(move(1)).rejects.toMatchObject(refused);
    expect((await notes.get(1))?.price).toBe(note.price - 2);
  });

  it("cost one more read, and a write at the price of a transaction", async () => {
    const { notes, cost } = await withNote();
    expect(await cost(() => notes.update(1, { text: "b" }, any))).toMatchObject({ calls: 2, inSequence: 2 });
    expect(await cost(() => notes.update(1, { text: "c" }))).toMatchObject({ calls: 1 });
    expect(await cost(() => notes.remove(1, any))).toMatchObject({ calls: 2, inSequence: 2 });
  });
});
