import { describe, expect, it } from "vitest";
import { getItem } from "../../../lib/dynamodb/query.ts";
import { COUNTER_KEY, IdAllocation } from "../../../lib/records/id-allocation.ts";
import { notesIn } from "../../support/data/notes.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import type { Fault, Plan } from "../../support/database/faults.ts";
import { CONDITION_FAILED, unlucky } from "../../support/database/late.ts";
import { meter } from "../../support/programs/usage.ts";

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

describe.each(engines)("the ids of a table on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  /** Ids in a process with faults, and in another one; and their records. */
  async function idsWith(plan: Plan) {
    const table = await recordTable(endpoint);
    const { client: own, arrive } = unlucky(endpoint, plan);
    const [ids, others] = [new IdAllocation(own, table), new IdAllocation(client, table)];
    return { table, ids, arrive, others, notes: notesIn(client, table) };
  }

  /** A fault at one attempt at an update of the counter, and what happens before the next attempt. */
  const once =
    (fault: Fault, at: number, meanwhile?: () => Promise<unknown>): Plan =>
    async (operation, attempt) => {
      if (operation === "UpdateItem" && attempt === at + 1) await meanwhile?.();
      return operation === "UpdateItem" && attempt === at ? fault : undefined;
    };

  it("are allocated once to 300 processes at the same time, by one call each", async () => {
    const { table, others } = await idsWith(() => undefined);
    const counted = testClient(endpoint);
    const cost = meter(counted);
    const allocated: number[] = [];
    const allocate = async () => allocated.push((await new IdAllocation(counted, table).allocate()).id);
    const allocateAll = () => Promise.all(upTo(300).map(allocate));
    expect(await cost(allocateAll)).toMatchObject({ calls: 300, units: 300 });
    expect(allocated.sort((a, b) => a - b)).toEqual(upTo(300));
    const { allocation } = await others.allocate();
    expect(await getItem(client, table, COUNTER_KEY)).toEqual({ ...COUNTER_KEY, last: 301, allocation });
  });

  it("have timestamps in their order, whatever the clocks show", async () => {
    const { others } = await idsWith(() => undefined);
    const clocks = ["2026-01-01T00:00:05.000Z", "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:09.000Z"];
    const times: string[] = [];
    for (const clock of clocks) times.push((await others.allocate(new Date(clock))).time);
    expect(times).toEqual([clocks[0], clocks[0], clocks[2]]);

    const allocate = (i: number) => others.allocate(new Date(Date.UTC(2026, 0, 1, 0, 1, i % 7)));
    const allocated = await Promise.all(upTo(50).map(allocate));
    const ordered = allocated.sort((a, b) => a.id - b.id);
    expect(ordered.map(({ id }) => id)).toEqual(upTo(50).map((i) => 3 + i));
    expect(ordered.map(({ time }) => time)).toEqual(ordered.map(({ time }) => time).sort());
  });

  it("are not allocated by an attempt that arrives late, or nobody has them", async () => {
    const { ids, others, arrive, notes } = await idsWith(once("late", 1));
    expect(await ids.allocate()).toMatchObject({ id: 1 });
    expect(await arrive()).toEqual([CONDITION_FAILED]);
    expect(await others.allocate()).toMatchObject({ id: 2 });

    const second = await idsWith(once("late", 1));
    const ours = await second.ids.allocate();
    await second.notes.create({ text: "other" }, undefined);
    expect(await second.arrive()).toEqual(["done"]);
    // The counter names our allocation again, with another id.
    await second.ids.releaseOrTombstone(ours);
    expect(await second.others.read()).toEqual({ last: 3, deleted: new Map([[0, 1]]) });
    expect((await second.notes.create({ text: "next" }, undefined)).record.id).toBe(4);
    expect((await notes.list()).records).toEqual([]);
  });

  describe("that a creation gives back", () => {
    it("are allocated again, or marked as deleted if others have allocated since", async () => {
      const { others: ids } = await idsWith(() => undefined);
      await ids.releaseOrTombstone(await ids.allocate());
      const [first, second] = [await ids.allocate(), await ids.allocate()];
      expect([first.id, second.id]).toEqual([1, 2]);
      await ids.releaseOrTombstone(first);
      await ids.releaseOrTombstone(second);
      expect(await ids.read()).toEqual({ last: 1, deleted: new Map([[0, 1]]) });
    });

    it.each([0, 1, 2])("stay those of %i others who got them since", async (count) => {
      const { ids, notes } = await idsWith(
        once("lost", 2, async () => {
          for (let i = 0; i < count; i += 1) await notes.create({ text: "other" }, undefined);
        }),
      );
      await ids.releaseOrTombstone(await ids.allocate());
      const records = upTo(count).map((id) => ({ id, text: "other" }));
      expect(await notes.page(0, 5)).toEqual({ records, total: count });
    });

    it.each([0, 1, 2])("are not given back again by a late attempt, after %i allocations", async (count) => {
      const { ids, others, arrive } = await idsWith(once("late", 2));
      await ids.releaseOrTombstone(await ids.allocate());
      for (let i = 0; i < count; i += 1) await others.allocate();
      expect(await arrive()).toEqual([CONDITION_FAILED]);
      expect(await others.read()).toEqual({ last: count, deleted: new Map() });
    });
  });
});
