import { describe, expect, it } from "vitest";
import { getItem } from "../../../lib/dynamodb/query.ts";
import { operationsOn } from "../../../lib/records/exactly-once.ts";
import { COUNTER_KEY } from "../../../lib/records/id-allocation.ts";
import { notesIn } from "../../support/data/notes.ts";
import { throughBurst } from "../../support/database/burst.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../../support/database/database.ts";
import { itemSize } from "../../support/database/item-size.ts";

describe.each(onDefaultEngine(engines))("after a burst of throttling on $name", ({ endpoint }) => {
  it.each([
    ["ids", undefined],
    ["ids with times", () => new Date()],
  ])("a counter of %s stays below 1 KB, and a creation costs what it did", async (_, now) => {
    const table = await recordTable(endpoint);
    const { before, after } = await throughBurst(endpoint, (client) => {
      const notes = notesIn(client, table, now);
      return () => notes.create({ text: "" }, undefined);
    });
    const counter = (await getItem(testClient(endpoint), table, COUNTER_KEY)) ?? {};
    expect([after, operationsOn(counter).length <= 40]).toEqual([before, true]);
    expect(itemSize(counter)).toBeLessThan(1_024);
  });
});
