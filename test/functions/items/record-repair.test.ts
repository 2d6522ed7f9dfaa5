import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { stored } from "../../../functions/items/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { repairIds } from "../../../lib/records/id-repair.ts";
import { ItemsRepository, textKey } from "../../../lib/repositories/items.ts";
import { engines, fill, testClient } from "../../support/database/database.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

describe.each(engines)("the repair of items on $name", ({ endpoint }) => {
  it("names items without their text, texts without their item, and names that are none", async () => {
    const client = testClient(endpoint);
    const name = await stackTable(endpoint, "items");
    const store = new ItemsRepository(client, name);
    const repair = async (isDryRun = false) => {
      const [found] = await repairIds(client, [{ name, stored }], { wait: async () => undefined, isDryRun });
      return { unmarked: found?.unmarked, entries: found?.entries, damaged: found?.damaged };
    };
    for (let i = 0; i < 3; i += 1) await store.create('{"name":"n"}', "n", undefined);
    expect(await repair()).toEqual({ unmarked: 0, entries: 0, damaged: [] });

    for (const Key of [textKey(1), recordKey(2)])
      await client.send(new DeleteCommand({ TableName: name, Key }));
    await fill(client, name, [{ ...recordKey(3), name: "no JSON" }]);
    const damaged = [
      "The stored record 3 is damaged: name",
      "The stored record 1 is damaged: text",
      "The stored record 2 is damaged: only its text exists",
    ];
    expect(await repair(true)).toEqual({ unmarked: 1, entries: 0, damaged });
    expect(await repair()).toEqual({ unmarked: 1, entries: 0, damaged });
    for (const id of [1, 2, 3]) expect(await store.remove(id)).toBe(true);
    expect(await repair()).toEqual({ unmarked: 0, entries: 0, damaged: [] });
  });
});
