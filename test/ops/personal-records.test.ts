import { expect, it, onTestFinished } from "vitest";
import { tablesWithIds } from "../../functions/definitions.ts";
import type { StoredItem } from "../../lib/dynamodb/query.ts";
import { lockOf } from "../../lib/repositories/accounts/account-items.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { eraseAll, outside } from "../../ops/personal-records.ts";
import { notesIn } from "../support/data/notes.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../support/database/database.ts";
import { injectFaults } from "../support/database/faults.ts";

const tried = onDefaultEngine(engines);
it.each(tried)("an erasure on $name finds and erases what was written meanwhile", async ({ endpoint }) => {
  const client = testClient(endpoint);
  const names = new Map<string, string>([["accounts", await recordTable(endpoint, "S")]]);
  for (const area of tablesWithIds) names.set(area, await recordTable(endpoint));
  const table = (area: string) => names.get(area) ?? "";
  const [area = ""] = tablesWithIds;
  const accounts = new AccountsRepository(client, table("accounts"));
  const email = "ada@example.com";
  const account = { username: "ada", email, passwordHash: "x", age: null, website: null };
  await accounts.registerAll([account], undefined);
  const records = notesIn(client, table(area), undefined, { username: "ada", seesAll: false });
  const write = () => records.create({ text: "x" }, undefined);
  await write();

  const found: number[][] = [];
  const objects = new Set([1, 2, 3, 4]);
  const removeObject = async ({ sk }: StoredItem) => objects.delete(Number(sk));
  Object.assign(outside, { [area]: { erase: removeObject } });
  onTestFinished(() => void Reflect.deleteProperty(outside, area));
  let before: (() => Promise<unknown>) | undefined;
  const eraser = testClient(endpoint);
  injectFaults(eraser, async (operation) => {
    if (operation === "Query") await before?.();
    return undefined;
  });
  const erase = (beforeLastSearch: () => Promise<unknown>) =>
    eraseAll(accounts, "ada", email, {
      stage: { dynamodb: eraser, table, clientConfig: {}, resource: () => undefined },
      // A request from before the lock ends while it waits.
      async wait() {
        const { tokenVersion = 0, loginsLeft } = (await accounts.get("ada")) ?? {};
        expect([tokenVersion > 0, loginsLeft]).toEqual([true, 0]);
        await write();
      },
      onFound: (ids) => found.push([...(ids.get(area) ?? [])]),
      progress(text) {
        if (text.endsWith(tablesWithIds.at(-1) ?? "-")) before = beforeLastSearch;
      },
    });
  const first = erase(async () => {
    before = undefined;
    await write();
  });
  await expect(first).rejects.toThrow(`Searched again and found ${area} 3: repeat the command.`);
  expect(await accounts.get("ada")).toMatchObject(lockOf({ ...account, role: "user", tokenVersion: 0 }));
  await erase(async () => {});
  expect(found).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect([await accounts.get("ada"), (await records.list()).records]).toEqual([undefined, []]);
  expect([...objects]).toEqual([]);
});
