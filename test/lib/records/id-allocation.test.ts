import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { operationsOn } from "../../../lib/records/exactly-once.ts";
import { COUNTER_KEY, IdAllocation } from "../../../lib/records/id-allocation.ts";
import { notesIn } from "../../support/data/notes.ts";
import { engines, fill, onDefaultEngine, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { itemSize } from "../../support/database/item-size.ts";

/** As many other processes as the counter keeps operations of, without our own. */
const OTHERS = 23;

// Other tests allocate on every engine.
describe.each(onDefaultEngine(engines))("the ids of a table on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  const newProcess = (table: string) => new IdAllocation(client, table);

  /** A client whose first allocation loses its response, while others allocate before the second attempt. */
  function interrupted(meanwhile: () => Promise<unknown>) {
    const unlucky = testClient(endpoint);
    injectFaults(unlucky, async (operation, attempt) => {
      if (operation !== "UpdateItem") return undefined;
      if (attempt === 2) await meanwhile();
      return attempt === 1 ? "lost" : undefined;
    });
    return unlucky;
  }

  async function counterOf(table: string) {
    const { Item: counter = {} } = await client.send(
      new GetCommand({ TableName: table, Key: COUNTER_KEY, ConsistentRead: true }),
    );
    return counter;
  }

  async function operationsIn(table: string) {
    return operationsOn(await counterOf(table));
  }

  it("are found again if the response was lost, however often others have allocated since", async () => {
    const table = await recordTable(endpoint);
    const others = Array.from({ length: OTHERS }, () => newProcess(table));
    const unlucky = interrupted(async () => {
      for (let i = 0; i < 3; i += 1) await Promise.all(others.map((other) => other.allocate()));
    });

    expect(await new IdAllocation(unlucky, table).allocate()).toMatchObject({ id: 1 });
    expect((await newProcess(table).read()).last).toBe(1 + 3 * OTHERS);
  });

  it("are found again with their timestamp", async () => {
    const table = await recordTable(endpoint);
    const other = newProcess(table);
    const unlucky = interrupted(() => other.allocate(new Date(9_000)));

    expect(await new IdAllocation(unlucky, table).allocate(new Date(1_000))).toEqual({
      id: 1,
      time: "1970-01-01T00:00:01.000Z",
    });
    expect((await other.read()).last).toBe(2);
  });

  it("are all used if responses are lost while others create: the total is the number of records", async () => {
    const table = await recordTable(endpoint);
    const stores = Array.from({ length: 8 }, () => {
      const unlucky = testClient(endpoint);
      injectFaults(unlucky, (_, attempt) => (attempt % 5 === 1 ? "lost" : undefined));
      return notesIn(unlucky, table);
    });
    await Promise.all(
      stores.map(async (store, i) => {
        for (let n = 0; n < 20; n += 1) await store.create({ text: `${i}-${n}` }, undefined);
      }),
    );
    const records = await notesIn(client, table).page(0, 1_000);

    expect(records.total).toBe(160);
    expect(records.records.map(({ id }) => id)).toEqual(Array.from({ length: 160 }, (_, i) => i + 1));
  });

  it("cost one call and less than 1 KB, and leave one operation behind", async () => {
    const table = await recordTable(endpoint);
    const counted = testClient(endpoint);
    const calls = injectFaults(counted, () => undefined);
    const ids = new IdAllocation(counted, table);
    for (let i = 0; i < 100; i += 1) await ids.allocate();

    expect(calls).toHaveLength(100);
    expect(Object.keys(await counterOf(table))).toHaveLength(["pk", "sk", "last", "operation"].length);
  });

  it("stay below 1 KB if every allocation comes from a new process, with a call more for one of seventeen", async () => {
    const table = await recordTable(endpoint);
    const counted = testClient(endpoint);
    const calls = injectFaults(counted, () => undefined);
    const last = 10 ** 14;
    await fill(client, table, [{ ...COUNTER_KEY, last, floor: last, repairedTo: last, allocatedAt: "" }]);
    let largest = 0;
    for (let i = 1; i <= 100; i += 1) {
      const { id } = await new IdAllocation(counted, table).allocate(new Date(i));
      expect(id).toBe(last + i);
      largest = Math.max(largest, itemSize(await counterOf(table)));
    }

    expect(largest).toBeLessThan(1_024);
    expect(calls).toHaveLength(100 + Math.floor((100 - 24) / 17));
  });

  it("are allocated although old operations cannot be removed", async () => {
    const table = await recordTable(endpoint);
    for (let i = 0; i < 40; i += 1) await newProcess(table).allocate();
    const unlucky = testClient(endpoint);
    injectFaults(unlucky, (_, attempt) => (attempt > 1 ? "throttled" : undefined));

    expect(await new IdAllocation(unlucky, table).allocate()).toMatchObject({ id: 41 });
    expect(await operationsIn(table)).toHaveLength(41);
    await newProcess(table).allocate();
    expect(await operationsIn(table)).toHaveLength(24);
  });

  it("are allocated to 300 processes at the same time", async () => {
    const table = await recordTable(endpoint);
    const allocated = await Promise.all(Array.from({ length: 300 }, () => newProcess(table).allocate()));
    expect(allocated.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 300 }, (_, i) => i + 1),
    );

    const ids = newProcess(table);
    for (let i = 0; i < 48; i += 1) await ids.allocate();
    expect(itemSize(await counterOf(table))).toBeLessThan(1_024);
  });
});

describe.each(engines)("ids with timestamps on $name", ({ endpoint }) => {
  it("have timestamps in the order of the ids, whatever the clocks show", async () => {
    const ids = new IdAllocation(testClient(endpoint), await recordTable(endpoint));
    const clocks = ["2026-01-01T00:00:05.000Z", "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:09.000Z"];
    const allocated = [];
    for (const clock of clocks) allocated.push(await ids.allocate(new Date(clock)));

    expect(allocated).toEqual([
      { id: 1, time: clocks[0] },
      { id: 2, time: clocks[0] },
      { id: 3, time: clocks[2] },
    ]);
  });

  it("have no gap if many are allocated at the same time", async () => {
    const ids = new IdAllocation(testClient(endpoint), await recordTable(endpoint));
    const allocated = await Promise.all(
      Array.from({ length: 50 }, (_, i) => ids.allocate(new Date(Date.UTC(2026, 0, 1, 0, 0, i % 7)))),
    );
    const ordered = allocated.sort((a, b) => a.id - b.id);

    expect(ordered.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(ordered.map(({ time }) => time)).toEqual(ordered.map(({ time }) => time).sort());
  });
});
