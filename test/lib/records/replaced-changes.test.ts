import { describe, expect, it } from "vitest";
import { notesIn } from "../../support/data/notes.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";

describe.each(engines)("a change on $name whose response was lost", ({ endpoint }) => {
  it("is not made again after another one, which may have replaced it", async () => {
    const table = await recordTable(endpoint);
    const others = notesIn(testClient(endpoint), table);
    await others.create({ text: "a" }, undefined);
    const client = testClient(endpoint);
    injectFaults(client, async (operation, attempt) => {
      if (operation === "UpdateItem" && attempt === 2) await others.update(1, { text: "c" });
      return operation === "UpdateItem" && attempt === 1 ? "lost" : undefined;
    });

    await expect(notesIn(client, table).update(1, { text: "b" })).rejects.toMatchObject({
      code: "ServiceUnavailable",
    });
    expect(await others.get(1)).toEqual({ id: 1, text: "c" });
  });
});
