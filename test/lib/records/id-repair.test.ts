import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../lib/domain/errors.ts";
import { bitmapKey, COUNTER_KEY, deletedCountKey, IdAllocation } from "../../../lib/records/id-allocation.ts";
import { BLOCK_SIZE } from "../../../lib/records/id-blocks.ts";
import { CREATIONS_END_AFTER_MS, repairIds } from "../../../lib/records/id-repair.ts";
import { notesIn } from "../../support/data/notes.ts";
import { engines, fill, onDefaultEngine, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { scaled } from "../../support/effort.ts";
import { interruptedClient } from "../interrupted.ts";

const noWait = async () => undefined;

describe.each(engines)("the repair of ids on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  async function notes(...texts: readonly string[]) {
    const name = await recordTable(endpoint);
    const store = notesIn(client, name);
    for (const text of texts) await store.create({ text }, undefined);
    return { store, ids: new IdAllocation(client, name), name };
  }

  /** @param wait runs while the repair waits for creations in progress */
  async function repaired(name: string, wait: () => Promise<unknown> = noWait, isDryRun = false) {
    const [result] = await repairIds(client, [{ name }], { wait, isDryRun });
    const { table: _, miscounted = 0, entries, damaged, ...found } = result ?? expect.unreachable();
    expect({ entries, damaged }).toEqual({ entries: 0, damaged: [] });
    return miscounted === 0 ? found : { ...found, miscounted };
  }

  /** A creation that is paused before its put. @returns ends it, with a fault or without */
  async function pendingCreation(name: string) {
    const slow = testClient(endpoint);
    const arrived = Promise.withResolvers<void>();
    const end = Promise.withResolvers<"throttled" | undefined>();
    injectFaults(slow, async (_operation, _attempt, { TransactItems: items }) => {
      if (items?.[0]?.Put === undefined) return undefined;
      arrived.resolve();
      return await end.promise;
    });
    const creation = notesIn(slow, name).create({ text: "slow" }, undefined);
    const created = creation.catch((error) => error);
    await arrived.promise;
    return async (fault?: "throttled") => {
      end.resolve(fault);
      const outcome = await created;
      expect(outcome instanceof ApiError).toBe(fault !== undefined);
      return outcome;
    };
  }

  async function expectConsistent(name: string) {
    const store = notesIn(client, name);
    const live = (await store.list()).records;
    expect((await store.page(0, 0)).total).toBe(live.length);
    expect((await store.page(0, live.length + 1)).records).toEqual(live);
  }

  it("names records under the key of another id", async () => {
    const { name } = await notes("first");
    const wrong = [0, 1.5, BLOCK_SIZE + 1];
    const items = wrong.map((sk) => ({ pk: "0", sk, text: "" }));
    await fill(client, name, items);
    const damaged = wrong.map((id) => `The stored record ${id} is damaged: its key has the block 0`);
    const result = await repairIds(client, [{ name }], { wait: noWait });
    expect(result).toMatchObject([{ unmarked: 0, mismarked: 0, damaged }]);
  });

  it("waits for creations in progress, far longer than a function may run, unless the table is empty", async () => {
    const wait = vi.fn(async (_: number) => undefined);
    const { name: empty, ids } = await notes();
    const [nothing] = await repairIds(client, [{ name: empty }], { wait });
    expect(nothing).toMatchObject({ last: 0, unmarked: 0, mismarked: 0 });
    expect(await ids.read()).toEqual({ last: 0, deleted: new Map() });
    expect(await ids.allocate()).toMatchObject({ id: 1 });
    expect(wait).not.toHaveBeenCalled();
    const { name } = await notes("a");
    await repairIds(client, [{ name }, { name: await recordTable(endpoint) }], { wait });
    expect(wait.mock.calls).toEqual([[CREATIONS_END_AFTER_MS]]);
    expect(CREATIONS_END_AFTER_MS).toBeGreaterThanOrEqual(3 * 20_000);
  });

  it("marks the id of a creation that fails meanwhile, once, and it is not allocated again", async () => {
    const { store, name } = await notes();
    const creation = await pendingCreation(name);
    let next: Awaited<ReturnType<typeof pendingCreation>> | undefined;
    await repaired(name, async () => {
      await creation("throttled");
      next = await pendingCreation(name);
    });
    const record = { id: 2, text: "slow" };
    expect(await next?.()).toMatchObject({ record });
    expect(await store.page(0, 10)).toEqual({ records: [record], total: 1 });
  });

  it("does not mark a record twice that is deleted at the same time", async () => {
    const { store, ids, name } = await notes("a", "b", "c");
    await ids.allocate();
    const repairing = testClient(endpoint);
    const operations = injectFaults(repairing, async (operation, attempt) => {
      // Between reading the bitmap and the records, and between the records and writing the bitmap.
      if (operation === "Query" && attempt === 2) expect(await store.remove(1)).toBe(true);
      if (operation === "TransactWriteItems" && attempt === 2) expect(await store.remove(2)).toBe(true);
      return undefined;
    });

    expect(await repairIds(repairing, [{ name }], { wait: noWait })).toMatchObject([{ unmarked: 1 }]);
    expect(operations.filter((operation) => operation === "TransactWriteItems")).toHaveLength(3);
    expect(await store.page(0, 10)).toEqual({ records: [{ id: 3, text: "c" }], total: 1 });
  });

  it("corrects the number of deleted ids, also beside a deletion", async () => {
    const { store, name } = await notes("a", "b", "c");
    await store.remove(1);
    await fill(client, name, [{ ...deletedCountKey(0), n: 7 }]);
    const repairing = interruptedClient(endpoint, "TransactWriteItems", async () =>
      expect(await store.remove(2)).toBe(true),
    );
    const result = await repairIds(repairing, [{ name }], { wait: noWait });
    expect(result).toMatchObject([{ unmarked: 0, mismarked: 0, miscounted: 1 }]);
    await expectConsistent(name);
    expect(await repaired(name)).toEqual({ last: 3, unmarked: 0, mismarked: 0 });
  });

  it("does not count again what another repair has counted, although the number is the same once more", async () => {
    const { store, name } = await notes("a", "b");
    await fill(client, name, [{ ...deletedCountKey(0), n: 2 }]);
    const repairing = interruptedClient(endpoint, "TransactWriteItems", async () => {
      expect(await repaired(name)).toMatchObject({ miscounted: 1 });
      for (const id of [1, 2]) await store.remove(id);
    });
    expect(await repairIds(repairing, [{ name }], { wait: noWait })).toMatchObject([{ miscounted: 0 }]);
    await expectConsistent(name);
  });

  it.each([
    ["a wrong number of deleted ids", { ...deletedCountKey(0), n: 96 }, { miscounted: 1 }],
    ["a number of deleted ids that is none", { ...deletedCountKey(0), n: "x" }, { miscounted: 1 }],
    ["a missing bitmap", bitmapKey(0), { unmarked: 1, miscounted: 1 }],
    ["a bad bitmap", { ...bitmapKey(0), w0: "x", w3: "x" }, { unmarked: 1, mismarked: 2, miscounted: 1 }],
    ["a negative bitmap", { ...bitmapKey(0), w0: -5 }, { unmarked: 1, mismarked: 1, miscounted: 1 }],
    ["a bitmap with a fraction", { ...bitmapKey(0), w0: 1.5 }, { unmarked: 1, mismarked: 1, miscounted: 1 }],
    ["a bit of a record", { ...bitmapKey(0), w0: 3 }, { mismarked: 1, miscounted: 1 }],
    // Its second bit was added twice.
    ["a moved bit", { ...bitmapKey(0), w0: 4 }, { unmarked: 1, mismarked: 1 }],
    ["a counter that is too high", { ...COUNTER_KEY, last: 7 }, { last: 7, unmarked: 4 }],
  ])("reports and corrects %s", async (_, item, expected) => {
    const { store, name } = await notes("a", "b", "c");
    await store.remove(2);
    await fill(client, name, [item]);
    const found = { last: 3, unmarked: 0, mismarked: 0, ...expected };

    expect(await repaired(name, noWait, true)).toEqual(found);
    expect(await repaired(name)).toEqual(found);
    await expectConsistent(name);
    expect(await repaired(name)).toEqual({ last: found.last, unmarked: 0, mismarked: 0 });
  });

  // DynamoDB Local refuses the whole call instead, and does not name the item.
  it.each(onDefaultEngine(["none"]))("mends %j as a number, which deletions name until then", async (n) => {
    const { store, name } = await notes("a", "b");
    await fill(client, name, [{ ...deletedCountKey(0), n }]);
    const message = "The stored item ids 0 is damaged; a daily job repairs it";
    await expect(store.remove(1)).rejects.toMatchObject({ code: "ServiceUnavailable", message });
    expect(await store.get(1)).toMatchObject({ text: "a" });
    expect(await repaired(name)).toMatchObject({ miscounted: 1 });
    expect(await store.remove(1)).toBe(true);
    expect((await store.page(0, 0)).total).toBe(1);
  });

  it("does not report a number of deleted ids that a deletion changes during a dry run", async () => {
    const { store, name } = await notes("a", "b");
    const checking = testClient(endpoint);
    // After the number was read, before the bitmaps.
    const operations = injectFaults(checking, async (operation, attempt) => {
      if (operation === "Query" && attempt === 1) expect(await store.remove(1)).toBe(true);
      return undefined;
    });
    const options = { wait: noWait, isDryRun: true };
    expect(await repairIds(checking, [{ name }], options)).toMatchObject([{ miscounted: 0 }]);
    expect(new Set(operations)).toEqual(new Set(["Query", "GetItem"]));
  });

  it("reads only blocks with new ids if it is incremental", async () => {
    const { name, ids } = await notes();
    const last = 2 * BLOCK_SIZE + 3;
    await fill(client, name, [{ ...COUNTER_KEY, last, repairedTo: BLOCK_SIZE + 1 }]);
    const counted = testClient(endpoint);
    const attempted = injectFaults(counted, () => undefined);
    const options = { wait: noWait, isIncremental: true };

    // The rest of block 1 and block 2; block 0 is not compared.
    expect(await repairIds(counted, [{ name }], options)).toMatchObject([{ unmarked: BLOCK_SIZE + 3 }]);
    // The records of each block, and the bitmaps of their group.
    expect(attempted.filter((operation) => operation === "Query")).toHaveLength(3);
    expect([...(await ids.read()).deleted]).toEqual([[0, BLOCK_SIZE + 3]]);

    attempted.length = 0;
    const wait = () => Promise.reject(new Error("nothing to wait for"));
    expect(await repairIds(counted, [{ name }], { ...options, wait })).toMatchObject([{ unmarked: 0 }]);
    // The number of deleted ids, and the bitmaps.
    expect(attempted).toEqual(["UpdateItem", "GetItem", "Query"]);

    await ids.allocate();
    expect(await repairIds(counted, [{ name }], options)).toMatchObject([{ unmarked: 1 }]);
  });

  // A query for the bitmaps of both blocks, and one for each.
  it.each([
    [1, { unmarked: 2 * BLOCK_SIZE, miscounted: 0 }],
    [2, { unmarked: BLOCK_SIZE, miscounted: 0 }],
  ])("continues an incremental repair that failed after query %i", async (queries, expected) => {
    const { name } = await notes();
    await fill(client, name, [{ ...COUNTER_KEY, last: 2 * BLOCK_SIZE }]);
    const failing = testClient(endpoint);
    injectFaults(failing, (operation, attempt) =>
      operation === "Query" && attempt > queries ? "throttled" : undefined,
    );
    const options = { wait: noWait, isIncremental: true };

    const unavailable = { code: "ServiceUnavailable" };
    await expect(repairIds(failing, [{ name }], options)).rejects.toMatchObject(unavailable);
    expect(await repairIds(client, [{ name }], options)).toMatchObject([expected]);
    await expectConsistent(name);
  });

  it("corrects the bitmaps after any history with crashes and concurrent creations", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant("create" as const) },
      fc.constant("crash" as const),
      fc.constant("pending" as const),
      fc.nat(20),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.array(step, { maxLength: 10 }),
        fc.infiniteStream(fc.boolean()),
        async (before, meanwhile, outcomes) => {
          const { store, ids, name } = await notes();
          const open: Awaited<ReturnType<typeof pendingCreation>>[] = [];
          const acts = {
            create: () => store.create({ text: "x" }, undefined),
            crash: () => ids.allocate(),
            pending: async () => open.push(await pendingCreation(name)),
          };
          const take = async (steps: typeof before) => {
            for (const each of steps) await (typeof each === "number" ? store.remove(each) : acts[each]());
            return open.splice(0);
          };
          const finish = (open: Awaited<ReturnType<typeof take>>) =>
            Promise.all(open.map((end) => end(outcomes.next().value ? undefined : "throttled")));

          const early = await take(before);
          let late: typeof early = [];
          await repaired(name, async () => {
            [late] = await Promise.all([take(meanwhile), finish(early)]);
          });
          await finish(late);
          // The second repair corrects what crashed after the first one began.
          await repaired(name);
          await expectConsistent(name);
          expect(await repaired(name)).toMatchObject({ unmarked: 0, mismarked: 0 });
        },
      ),
      { numRuns: scaled(25) },
    );
  });
});
