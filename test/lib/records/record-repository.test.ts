import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { ApiError } from "../../../lib/domain/errors.ts";
import { MAX_ATTEMPTS } from "../../../lib/dynamodb/contention.ts";
import { itemIsAbsent } from "../../../lib/dynamodb/expressions.ts";
import { COUNTER_KEY, IdAllocation } from "../../../lib/records/id-allocation.ts";
import { BLOCK_SIZE, recordKey } from "../../../lib/records/id-blocks.ts";
import type { RecordOf, StoredSchema, TextPosition } from "../../../lib/records/record-reader.ts";
import { RecordRepository, type Refused } from "../../../lib/records/record-repository.ts";
import { revisionTime } from "../../../lib/records/revision.ts";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { type Note, notesIn, StoredNote } from "../../support/data/notes.ts";
import { engines, fill, recordTable, testClient } from "../../support/database/database.ts";
import { any } from "../../support/database/fault-area.ts";
import { injectFaults, type Plan } from "../../support/database/faults.ts";
import { scaled } from "../../support/effort.ts";

const ids = (records: readonly Note[]) => records.map(({ id }) => id);
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const unavailable = { code: "ServiceUnavailable" };

type Fields = Omit<Note, "id">;
type Step = { create: Fields } | { id: number; changes: Partial<Fields> } | { remove: number };

type Store = RecordRepository<Note>;

/** Writes to a table and to a model of it, and compares the results. */
async function takeStep(store: Store, model: Map<number, Note>, step: Step, check?: typeof any) {
  if ("create" in step) {
    const { record } = await store.create(step.create, undefined);
    expect(record).toEqual({ id: record.id, ...step.create });
    model.set(record.id, record);
  } else if ("remove" in step) {
    expect(await store.remove(step.remove, check)).toBe(model.delete(step.remove));
  } else {
    const before = model.get(step.id);
    const changed = before && { ...before, ...step.changes };
    expect(await store.update(step.id, step.changes, check)).toEqual(changed);
    if (changed) model.set(step.id, changed);
  }
}

describe.each(engines)("records on $name", ({ endpoint }) => {
  async function notes(plan?: Plan) {
    const table = await recordTable(endpoint);
    const client = testClient(endpoint);
    const attempted = plan ? injectFaults(client, plan) : [];
    return { notes: notesIn(client, table), table, client, attempted };
  }

  /** Records with the ids 1 to `last`, put without the repository. */
  async function filled(last: number) {
    const { notes: store, client, table } = await notes();
    const items = upTo(last).map((id) => ({ ...recordKey(id), text: `note ${id}` }));
    await fill(client, table, [{ ...COUNTER_KEY, last }, ...items]);
    return { notes: store, client, table };
  }

  it.each([0, -1])("has no record with the id %i", async (id) => {
    const { notes: store, attempted } = await notes(() => undefined);
    expect(await store.get(id)).toBeUndefined();
    expect(await store.update(id, { text: "x" })).toBeUndefined();
    expect(await store.remove(id)).toBe(false);
    expect(attempted).toEqual([]);
  });

  it("changes a record behind its revision, although that is ahead of the clock", async () => {
    const { client, table } = await filled(1);
    const ahead = Date.UTC(2026, 0, 1);
    await notesIn(client, table, () => new Date(ahead)).update(1, { text: "ahead" });
    const store = notesIn(client, table, () => new Date(0));
    const changed = await store.overwrite(1, (time) => ({ text: time }));
    expect(changed?.text).toBe(new Date(ahead + 1).toISOString());
    expect(await store.update(1, { text: "b" }, any)).toEqual({ id: 1, text: "b" });
    expect(revisionTime(String((await store.read(1))?.revision))).toBe(ahead + 2);
  });

  it("returns defaults for fields that older records do not have, and requires them at compile time", async () => {
    const { client, table } = await filled(1);
    const Newer = z.extend(StoredNote, { due_date: z._default(z.nullable(z.string()), null) });
    const newer = new RecordRepository<RecordOf<typeof Newer>>(client, table, Newer);
    const record = { id: 1, text: "note 1", due_date: null };
    expect(await newer.get(1)).toEqual(record);
    expect((await newer.list()).records).toEqual([record]);
    expect(await newer.update(1, { due_date: "2026-03-01" })).toEqual({ ...record, due_date: "2026-03-01" });
    // @ts-expect-error due_date is missing
    StoredNote satisfies StoredSchema<Note & { readonly due_date: string | null }>;
  });

  it("has what was written, after any history, with preconditions and without", async () => {
    const fields = { text: fc.constantFrom("", "a", "x".repeat(1_200)), size: fc.nat(5) };
    const step = fc.oneof(
      fc.record({ create: fc.record(fields) }),
      fc.record({ id: fc.integer({ min: 1, max: 6 }), changes: fc.record(fields, { requiredKeys: [] }) }),
      fc.record({ remove: fc.integer({ min: 1, max: 6 }) }),
    );
    const steps = fc.array(step, { minLength: 1, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (taken, isConditional) => {
        const { notes: store } = await notes();
        const model = new Map<number, Note>();
        for (const each of taken) await takeStep(store, model, each, isConditional ? any : undefined);

        const all = [...model.values()].sort((a, b) => a.id - b.id);
        expect((await store.list()).records).toEqual(all);
        expect(await store.page(0, 100)).toEqual({ records: all, total: all.length });
        expect(await store.getMany([...model.keys()])).toEqual([...model.values()]);
        const sizes = all.map(({ id, text, size }) => [{ id, size }, text === "a"] as const);
        const visited: object[] = [];
        await store.forEach(["size"], (note) => visited.push(note));
        await store.forEach(["size"], (note) => visited.push(note), undefined, ["text", "a"]);
        expect(visited).toEqual([...sizes, ...sizes.filter(([, isA]) => isA)].map(([each]) => each));
      }),
      { numRuns: scaled(25) },
    );
  });

  it("keeps the id of a creation of which nobody knows whether it was made", async () => {
    const { notes: store } = await notes((operation, attempt) =>
      operation === "TransactWriteItems" ? (attempt === 1 ? "lost" : "timeout") : undefined,
    );
    await expect(store.create({ text: "a" }, undefined)).rejects.toMatchObject(unavailable);
    expect(await store.page(0, 5)).toEqual({ records: [{ id: 1, text: "a" }], total: 1 });
  });

  it("does not make a change again after another one, which may have replaced it", async () => {
    const { notes: others, table } = await filled(1);
    const client = testClient(endpoint);
    injectFaults(client, async (operation, attempt) => {
      if (operation === "UpdateItem" && attempt === 2) await others.update(1, { text: "c" });
      return operation === "UpdateItem" && attempt === 1 ? "lost" : undefined;
    });
    await expect(notesIn(client, table).update(1, { text: "b" })).rejects.toMatchObject(unavailable);
    expect(await others.get(1)).toEqual({ id: 1, text: "c" });
  });

  // At least one of them succeeds each time that all are tried.
  it("makes as many concurrent changes in as many processes as each has attempts", async () => {
    const { table } = await filled(1);
    const changes = upTo(MAX_ATTEMPTS).map((number) => ({ id: 1, text: String(number) }));
    const changed = changes.map(({ text }) => notesIn(testClient(endpoint), table).update(1, { text }));
    expect(await Promise.all(changed)).toEqual(changes);
  });

  it("allocates another id if a record has it, as after a restore", async () => {
    const { notes: store, client, table } = await notes();
    await fill(client, table, [{ pk: "0", sk: 1, text: "restored" }]);
    expect((await store.create({ text: "a" }, undefined)).record.id).toBe(2);
    expect(await store.get(1)).toEqual({ id: 1, text: "restored" });
  });

  describe("created with other items", () => {
    const taken = new ApiError("Conflict", "The slot is taken");

    it("are repeated, and not refused, if the same request has taken their slot meanwhile", async () => {
      const store = notesIn(testClient(endpoint), await recordTable(endpoint));
      const key = idempotencyContext("same");
      let first: unknown;
      const others = async () => {
        first ??= await store.create({ text: "a" }, key);
        throw taken;
      };
      const second = await store.create({ text: "a" }, key, { others });
      expect(second).toEqual({ ...(first as object), replayed: true });
      await expect(store.create({ text: "b" }, idempotencyContext("other"), { others })).rejects.toBe(taken);
    });

    it("ask for them in each of ten attempts, with what was refused in the one before", async () => {
      const { notes: store, client, table } = await notes();
      const items = ["a", "b"].map((pk) => ({ pk, sk: 0 }));
      await fill(client, table, items);
      const put = (pk: string) => ({ Put: { TableName: table, Item: { pk, sk: 0 }, ...itemIsAbsent } });
      const asked: unknown[] = [];
      const others = (id: number, refused: Refused<"a" | "b" | "c">) => {
        asked.push([id, ...(["a", "b", "c"] as const).filter((name) => refused.has(name))]);
        return { a: put("a"), b: refused.has("b") ? [] : put("b"), c: put("c") };
      };

      await expect(store.create({ text: "" }, undefined, { others })).rejects.toMatchObject(unavailable);
      // The second put is left out of every other attempt.
      const later = upTo(MAX_ATTEMPTS - 1).map((i) => (i % 2 ? [1, "a", "b"] : [1, "a"]));
      expect(asked).toEqual([[1], ...later]);
      expect((await store.create({ text: "" }, undefined)).record.id).toBe(1);
    });

    it("release the id if what they need cannot be read", async () => {
      const { notes: store } = await notes((operation) => (operation === "GetItem" ? "timeout" : undefined));
      const others = async () => ({ note: (await store.get(7)) && expect.unreachable() });
      await expect(store.create({ text: "" }, undefined, { others })).rejects.toMatchObject(unavailable);
      expect((await store.create({ text: "" }, undefined)).record.id).toBe(1);
    });
  });

  it("pages like an array after any history", async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.constant("create" as const) },
      // An id that is given back after the next one was allocated.
      { weight: 2, arbitrary: fc.constant("overtake" as const) },
      // Removes an id, relative to the last one at the beginning.
      { weight: 4, arbitrary: fc.integer({ min: -8, max: 20 }) },
    );
    const begin = fc.constantFrom(0, 0, BLOCK_SIZE - 5, BLOCK_SIZE);
    const history = fc.array(step, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(begin, history, fc.nat(20), fc.nat(12), async (last, taken, offset, size) => {
        const { notes: store, client, table } = await filled(last);
        const allocation = new IdAllocation(client, table);
        const live = upTo(last);
        let newest = last;
        const create = async () => {
          newest += 1;
          expect((await store.create({ text: "x" }, undefined)).record.id).toBe(newest);
          live.push(newest);
        };
        const overtake = async () => {
          const overtaken = await allocation.allocate();
          newest += 1;
          await create();
          await allocation.releaseOrTombstone(overtaken);
        };
        const remove = async (id: number) => {
          const at = live.indexOf(id);
          expect(await store.remove(id)).toBe(at >= 0);
          if (at >= 0) live.splice(at, 1);
        };
        const acts = { create, overtake };
        for (const each of taken) await (typeof each === "number" ? remove(last + each) : acts[each]());
        for (const from of [offset, Math.max(0, live.length - offset)]) {
          const page = await store.page(from, size);
          expect(page.total).toBe(live.length);
          expect(ids(page.records)).toEqual(live.slice(from, from + size));
          const reversed = await store.page(from, size, "descending");
          expect(ids(reversed.records)).toEqual([...live].reverse().slice(from, from + size));
        }
        expect(ids((await store.list()).records)).toEqual(live);
      }),
      {
        numRuns: scaled(25),
        examples: [
          [0, ["create", "overtake", "overtake", 1, 2, "create"], 1, 3],
          // The last id of the block is lost, then the first of the next one.
          [BLOCK_SIZE - 5, [...Array(4).fill("create"), "overtake", -1], 5, 4],
          [BLOCK_SIZE - 5, [...Array(5).fill("create"), "overtake", 5, "create"], 5, 4],
        ],
      },
    );
  }, 60_000);

  it("are listed by an index: in id order, or in that of a text, from any position, by their owner", async () => {
    const table = await recordTable(endpoint, "N", {
      "by-size": { partitionKey: ["size", "N"] },
      "by-text": { partitionKey: ["size", "N"], sortKey: "text" },
    });
    const client = testClient(endpoint);
    const all = notesIn(client, table);
    const own = notesIn(client, table, undefined, { username: "ada", seesAll: false });
    for (const text of ["c", "ä", "a", "c", "b"]) {
      await own.create({ text, size: 1 }, undefined);
      await all.create({ text, size: 1 }, undefined);
    }
    await own.create({ text: "a", size: 2 }, undefined);
    const texts: string[] = [];
    let after: TextPosition | undefined;
    do {
      const part = await own.listByText("by-text", ["size", 1], "text", { after, limit: 1 });
      texts.push(...part.records.map(({ text }) => text));
      after = part.next;
    } while (after);
    expect(texts).toEqual(["a", "b", "c", "c", "ä"]);
    const first = await all.listByText("by-text", ["size", 1], "text", { order: "descending", limit: 3 });
    expect(first.records.map(({ text }) => text)).toEqual(["ä", "ä", "c"]);
    expect(ids((await own.listBy("by-size", ["size", 1], { after: 3 })).records)).toEqual([5, 7, 9]);
    expect(ids((await all.listBy("by-size", ["size", 1], { after: 3, limit: 2 })).records)).toEqual([4, 5]);
  });
});
