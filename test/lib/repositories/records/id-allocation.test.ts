import { describe, expect, it } from "vitest";
import { IdAllocation } from "../../../../lib/repositories/records/id-allocation.ts";
import { engines, recordTable, testClient } from "../../../support/database.ts";
import { injectFaults } from "../../../support/faults.ts";

describe.each(engines)("ids with timestamps on $name", ({ endpoint }) => {
  it("have timestamps in the order of the ids, whatever the clocks show", async () => {
    const ids = new IdAllocation(testClient(endpoint), await recordTable(endpoint));
    const clocks = ["2026-01-01T00:00:05.000Z", "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:09.000Z"];
    const allocated = [];
    for (const clock of clocks) allocated.push(await ids.allocateWithTimestamp(new Date(clock)));

    expect(allocated).toEqual([
      { id: 1, time: clocks[0] },
      { id: 2, time: clocks[0] },
      { id: 3, time: clocks[2] },
    ]);
  });

  it("have no gap if many are allocated at the same time", async () => {
    const ids = new IdAllocation(testClient(endpoint), await recordTable(endpoint));
    const allocated = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        ids.allocateWithTimestamp(new Date(Date.UTC(2026, 0, 1, 0, 0, i % 7))),
      ),
    );
    const ordered = allocated.sort((a, b) => a.id - b.id);

    expect(ordered.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(ordered.map(({ time }) => time)).toEqual(ordered.map(({ time }) => time).sort());
  });

  it("are found again if the response was lost", async () => {
    const client = testClient(endpoint);
    const ids = new IdAllocation(client, await recordTable(endpoint));
    await ids.allocateWithTimestamp(new Date(0));
    injectFaults(client, (_, attempt) => (attempt === 1 ? "lost" : undefined));

    expect(await ids.allocateWithTimestamp(new Date(1_000))).toEqual({
      id: 2,
      time: "1970-01-01T00:00:01.000Z",
    });
    expect((await ids.read()).last).toBe(2);
  });
});
