import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { preconditionFailed } from "../../../../lib/domain/errors.ts";
import { type RecordOf, RecordRepository } from "../../../../lib/repositories/records/record-repository.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../../../support/database/database.ts";
import { injectFaults, type Plan } from "../../../support/database/faults.ts";
import { meter } from "../../../support/programs/usage.ts";

const StoredNote = z.object({ text: z.string(), price: z.number(), lines: z.array(z.unknown()) });
type Note = RecordOf<typeof StoredNote>;

const note = { text: "a", price: 1e-9, lines: [{ id: 1 }, null, [0.1]] };
const any = () => undefined;
const none = () => {
  throw preconditionFailed();
};
const refused = { code: "PreconditionFailed" };

describe.each(engines)("writes with a precondition on $name", ({ endpoint }) => {
  /** A note, and a repository whose client fails as planned or is interrupted before its first transaction. */
  async function withNote({
    plan,
    meanwhile,
  }: {
    plan?: Plan;
    meanwhile?: (other: RecordRepository<Note>) => Promise<unknown>;
  }) {
    const table = await recordTable(endpoint);
    const others = new RecordRepository<Note>(testClient(endpoint), table, StoredNote);
    await others.create(note, undefined);
    const client = testClient(endpoint);
    injectFaults(client, async (operation, attempt, input) => {
      if (meanwhile && operation === "TransactWriteItems" && attempt === 1) await meanwhile(others);
      return plan?.(operation, attempt, input);
    });
    return { others, notes: new RecordRepository<Note>(client, table, StoredNote), cost: meter(client) };
  }

  it("check the record before they change it", async () => {
    const { notes } = await withNote({});
    const seen: Note[] = [];

    expect(await notes.update(1, { text: "b" }, (record) => seen.push(record))).toEqual({
      id: 1,
      ...note,
      text: "b",
    });
    expect(await notes.update(1, {}, (record) => seen.push(record))).toEqual({ id: 1, ...note, text: "b" });
    expect(await notes.remove(1, (record) => seen.push(record))).toBe(true);
    expect(seen.map(({ text }) => text)).toEqual(["a", "b", "b"]);
    expect((await notes.page(0, 0)).total).toBe(0);
  });

  it("change nothing if the precondition fails or the record does not exist", async () => {
    const { notes } = await withNote({});

    await expect(notes.update(1, { text: "b" }, none)).rejects.toMatchObject(refused);
    await expect(notes.update(1, {}, none)).rejects.toMatchObject(refused);
    await expect(notes.remove(1, none)).rejects.toMatchObject(refused);
    for (const id of [0, 2]) {
      expect(await notes.update(id, { text: "b" }, none)).toBeUndefined();
      expect(await notes.remove(id, none)).toBe(false);
    }
    expect((await notes.list()).records).toEqual([{ id: 1, ...note }]);
  });

  it.each<[string, (others: RecordRepository<Note>) => Promise<unknown>]>([
    ["changed", (others) => others.update(1, { price: 2 })],
    ["deleted", (others) => others.remove(1)],
  ])("fail if the record is %s between the check and the write", async (change, meanwhile) => {
    const isCheap = ({ price }: Note) => {
      if (price !== note.price) throw preconditionFailed();
    };
    const first = await withNote({ meanwhile });
    const updated = first.notes.update(1, { text: "b" }, isCheap);
    if (change === "deleted") expect(await updated).toBeUndefined();
    else await expect(updated).rejects.toMatchObject(refused);
    expect((await first.others.get(1))?.text).not.toBe("b");
    const second = await withNote({ meanwhile });
    await expect(second.notes.remove(1, any)).rejects.toMatchObject(refused);
    expect(await second.others.page(0, 5)).toMatchObject({
      total: (await second.others.list()).records.length,
    });
  });

  it("change a record that fulfils the precondition again", async () => {
    const { notes } = await withNote({ meanwhile: (others) => others.update(1, { price: 2 }) });
    expect(await notes.update(1, { text: "b" }, any)).toMatchObject({ text: "b", price: 2 });
  });

  it("cost one more read, and a write at the price of a transaction", async () => {
    const { notes, cost } = await withNote({});

    expect(await cost(() => notes.update(1, { text: "b" }, any))).toMatchObject({ calls: 2, inSequence: 2 });
    expect(await cost(() => notes.update(1, { text: "c" }))).toMatchObject({ calls: 1 });
    expect(await cost(() => notes.remove(1, any))).toMatchObject({ calls: 2, inSequence: 2 });
  });

  it.each(onDefaultEngine(["conflict", "throttled", "timeout", "lost"]))(
    "take effect once if the first attempt is %s",
    async (fault) => {
      const plan: Plan = (operation, attempt) =>
        operation.startsWith("TransactWrite") && attempt % 2 === 1 ? fault : undefined;
      const { notes } = await withNote({ plan });
      expect(await notes.update(1, { text: "b" }, any)).toMatchObject({ text: "b" });
      expect(await notes.remove(1, any)).toBe(true);
      expect((await notes.page(0, 0)).total).toBe(0);
    },
  );
});
