import { describe, expect, it } from "vitest";
import { giveRecord, idsOfOwner } from "../../../lib/records/owners.ts";
import { notesIn } from "../../support/data/notes.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { interruptedClient } from "../interrupted.ts";

describe.each(engines)("records with owners on $name", ({ endpoint }) => {
  /** Notes 1 and 2 of Ada, and who sees them. */
  async function withNotes() {
    const table = await recordTable(endpoint);
    const client = testClient(endpoint);
    const calls = injectFaults(client, () => undefined);
    const as = (username: string, seesAll = false) =>
      notesIn(client, table, undefined, { username, seesAll });
    for (const text of ["a", "b"]) await as("ada").create({ text }, undefined);
    calls.length = 0;
    const of = (username: string) => idsOfOwner(client, table, username);
    const give = (id: number, owner: string | undefined) => giveRecord(client, table, id, owner);
    return { as, all: notesIn(client, table), of, give, calls };
  }

  it("are deleted with their entries, by the owner in one call and by others in two", async () => {
    const { as, all, of, calls } = await withNotes();
    expect(await as("bob").remove(1)).toBe(false);
    expect(await as("ada").remove(3)).toBe(false);
    const [once, twice] = [1, 2].map((count) => Array(count).fill("TransactWriteItems"));
    expect([[...calls], await of("ada")]).toEqual([twice, [1, 2]]);
    calls.length = 0;
    expect(await as("ada").remove(1)).toBe(true);
    expect([[...calls], await of("ada")]).toEqual([once, [2]]);
    calls.length = 0;
    // Without access rules, as well.
    expect(await all.remove(2)).toBe(true);
    expect([[...calls], await of("ada")]).toEqual([twice, []]);
  });

  it("are given once: the entries follow, and the former owner's changes and deletions are refused", async () => {
    const { as, all, of, give } = await withNotes();
    expect([await give(1, "bob"), await give(7, "bob")]).toEqual([true, false]);
    expect([await of("ada"), await of("bob")]).toEqual([[2], [1]]);
    expect(await as("ada").remove(1)).toBe(false);
    expect(await as("ada").update(1, { text: "x" })).toBeUndefined();
    expect((await as("bob").get(1))?.text).toBe("a");
    expect(await give(1, undefined)).toBe(true);
    expect([await of("bob"), (await all.get(1))?.text]).toEqual([[], "a"]);
  });

  it("belong to the owner of the record that they lie below, or to nobody, whoever creates them", async () => {
    const { as, all, of, give } = await withNotes();
    await give(2, undefined);
    for (const id of [1, 2]) {
      const parent = await as("staff", true).read(id);
      await as("staff", true).create({ text: `below ${id}` }, undefined, { parent });
    }
    await as("staff", true).create({ text: "for Bob" }, undefined, { parent: {}, owner: "bob" });
    expect([await of("ada"), await of("staff"), await of("bob")]).toEqual([[1, 3], [], [5]]);
    expect((await as("ada").get(3))?.text).toBe("below 1");
    expect([(await as("ada").get(4))?.text, (await all.get(4))?.text]).toEqual([undefined, "below 2"]);
  });

  it("of everybody are seen by a rule that says so", async () => {
    const bob = (await withNotes()).as("bob");
    expect((await bob.list()).records).toEqual([]);
    expect((await bob.ofEverybody.list()).records).toMatchObject([{ text: "a" }, { text: "b" }]);
  });

  it("stay given back, when an earlier attempt to give them goes on", async () => {
    const { as, of, give } = await withNotes();
    const slow = interruptedClient(endpoint, "TransactWriteItems", async () => {
      for (const owner of ["eve", "ada"]) await give(1, owner);
    });
    await expect(giveRecord(slow, as("ada").table, 1, "bob")).rejects.toThrow();
    expect([await of("ada"), await of("bob"), (await as("ada").get(1))?.text]).toEqual([[1, 2], [], "a"]);
  });
});
