import { describe, expect, it } from "vitest";
import { accountKey } from "../../../../lib/repositories/accounts/account-items.ts";
import { AccountQueries } from "../../../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../../../lib/repositories/accounts/accounts.ts";
import { callDynamodb } from "../../../../local/database/dynamodb-call.ts";
import { budgetOf } from "../../../support/data/budgets.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { scanTable } from "../../../support/data/stored-items.ts";
import { engines, fill, recordTable, testClient } from "../../../support/database/database.ts";
import { injectFaults, type Plan } from "../../../support/database/faults.ts";
import { newAccount as account } from "./new-account.ts";

const alice = account("alice");

describe.each(engines)("accounts on $name", ({ endpoint }) => {
  async function accounts(plan?: Plan) {
    const table = await recordTable(endpoint, "S");
    const client = testClient(endpoint);
    const attempted = plan ? injectFaults(client, plan) : [];
    const lists = new AccountQueries(client, table);
    const all = async () => (await lists.list()).records;
    return { accounts: new AccountsRepository(client, table), lists, all, table, client, attempted };
  }

  it("makes no call for an invalid username", async () => {
    const { accounts: store, attempted } = await accounts(() => undefined);
    for (const username of ["", "a".repeat(5_000), "alice#", "\ud800abc"])
      expect(await store.get(username)).toBeUndefined();
    expect(attempted).toEqual([]);
  });

  const bobbie = account("Bobbie", { email: "another@example.com" });
  const taken = { code: "Conflict", field: "username" };
  const emailTaken = { code: "Conflict", field: "email" };

  it.each([
    ["Bobbie", "bobbie", "BOBBIE"],
    ["bobbie", "Bobbie", "BOBBIE"],
  ])("lets the account %s alone have its username, in any case", async (first, ...others) => {
    const { accounts: store, all } = await accounts();
    await store.registerAll([account(first)], undefined);

    for (const username of others) {
      const other = { ...bobbie, username };
      const checked = await store.checkRegistration([account("free"), other], undefined);
      expect(checked).toMatchObject({ index: 1, error: taken });
      await expect(store.registerAll([other], undefined)).rejects.toMatchObject(taken);
      await expect(store.save({ ...other, role: "admin" })).rejects.toMatchObject(taken);
      expect([await store.get(username), await store.getProfile(username)]).toEqual([undefined, undefined]);
    }
    await store.save({ ...account(first), role: "admin" });
    expect(await all()).toEqual([{ username: first, email: `${first}@example.com`, role: "admin" }]);
  });

  it("lists all accounts by username, in parts of any length and to the end of a budget", async () => {
    const { lists, client, table, all } = await accounts();
    const website = `https://${"x".repeat(2_000)}`;
    const names = Array.from({ length: 900 }, (_, i) => `user${100 + i}`);
    const items = names.map((name, i) => {
      const { age: _, ...item } = account(name, { website });
      // The second partition has the first accounts and more than 1 MB, so its part of the list ends first.
      return { pk: `accounts#${i < 400 ? 1 : i % 3}`, sk: name, ...item, role: "user" };
    });
    await fill(client, table, items);
    expect((await all()).map(({ username }) => username)).toEqual(names);

    for (const [limit, bytes] of [[1], [7], [899], [undefined, 300_000]]) {
      const seen: string[] = [];
      let after: string | undefined;
      let parts = 0;
      do {
        const part = await lists.list({ after, limit }, budgetOf(bytes));
        expect(part.records.length).toBeLessThanOrEqual(limit ?? 899);
        seen.push(...part.records.map(({ username }) => username));
        after = part.next;
        parts += 1;
      } while (after !== undefined && parts < 20);
      expect(seen).toEqual(names.slice(0, limit === undefined ? 900 : 20 * limit));
      expect(parts).toBeGreaterThan(1);
    }
    expect(await lists.list({ after: names.at(-2), limit: 1 })).toMatchObject({ next: undefined });
  });

  it("leaves out a damaged account, whose own read fails", async () => {
    const { accounts: store, client, table, all } = await accounts();
    await store.registerAll([alice], undefined);
    await fill(client, table, [{ pk: "accounts#3", sk: "broken", username: "broken" }]);
    expect((await all()).map(({ username }) => username)).toEqual(["alice"]);
    await fill(client, table, [{ ...accountKey("broken"), username: "broken" }]);
    await expect(store.getProfile("broken")).rejects.toThrow("is damaged: email");
  });

  const reserved = ["root", "Administrator", "SUPPORT", "Sales"].map((username) => account(username));
  it.each<[string, ReturnType<typeof account>, object]>([
    ["a repeated username", account("bob", { email: "new@example.com" }), taken],
    ["one in another case", account("BOB", { email: "new@example.com" }), taken],
    ["a repeated e-mail", account("new", { email: "BOB@example.com" }), emailTaken],
    ...reserved.map((each): [string, typeof alice, object] => ["a reserved username", each, taken]),
  ])("refuses a batch with %s, without a call", async (_, second, expected) => {
    const { accounts: store, attempted } = await accounts(() => undefined);
    const checked = store.checkRegistration([account("bob"), alice, second], undefined, ["sales"]);
    await expect(checked).rejects.toMatchObject(expected);
    expect(attempted).toEqual([]);
  });

  it("recognizes a repeated registration if the read sees the account but not yet its key", async () => {
    const key = idempotencyContext("k");
    const { accounts: store, client, table } = await accounts();
    await store.registerAll([alice], key);
    client.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        const { RequestItems } = args.input as { RequestItems?: Record<string, { ConsistentRead: boolean }> };
        const { Responses } = result.output as { Responses?: Record<string, { pk: { S: string } }[]> };
        if (Responses && !RequestItems?.[table]?.ConsistentRead)
          Responses[table] = Responses[table]?.filter(({ pk }) => !pk.S.startsWith("key#")) ?? [];
        return result;
      },
      { name: "staleRead", step: "deserialize", priority: "high" },
    );

    expect(await store.checkRegistration([alice], key)).toBe("replay");
    expect(await store.checkRegistration([alice], undefined)).toMatchObject({ index: 0 });
  });

  describe("saved by an operator", () => {
    const admin = { username: "admin", email: "Admin@example.com", passwordHash: "1", role: "admin" };

    it("is created with its role, and changed by saving it again, which ends tokens of another password", async () => {
      const { accounts: store, all, lists } = await accounts();
      await store.save({ username: "other", email: "o@example.com", passwordHash: "1", role: "auditor" });
      for (const [tokenVersion, passwordHash] of [..."1123"].entries()) {
        await store.save({ ...admin, passwordHash });
        expect(await store.get("admin")).toMatchObject({ ...admin, passwordHash });
        const changes = Math.max(0, tokenVersion - 1);
        expect(await store.getProfile("admin")).toMatchObject({ tokenVersion: changes });
        expect(await all()).toHaveLength(2);
        expect(await lists.emailsWithRole("admin")).toEqual(new Set(["admin@example.com"]));
      }
    });

    it("keeps stored attributes that this version does not know", async () => {
      const { accounts: store, table } = await accounts();
      await store.save(admin);
      const later = { later: { BOOL: true } };
      const items = (await scanTable(endpoint, table)).map((item) => ({ ...item, ...later }));
      for (const Item of items) await callDynamodb({ endpoint }, "PutItem", { TableName: table, Item });
      await store.save({ ...admin, passwordHash: "2" });
      expect(await scanTable(endpoint, table)).toMatchObject([later, later, later]);
    });

    it("grants a role to a registered account, and revokes it", async () => {
      const { accounts: store, lists } = await accounts();
      const bob = account("bob", { age: 30, website: "http://bob.example" });
      await store.registerAll([bob], undefined);
      for (const role of ["admin", "user"]) {
        await store.save({ username: "bob", email: bob.email, passwordHash: "new", role });
        expect(await store.get("bob")).toMatchObject({ ...bob, passwordHash: "new", role });
        expect(await lists.emailsWithRole("admin")).toEqual(new Set(role === "admin" ? [bob.email] : []));
      }
    });

    it("holds its new e-mail and releases the old one", async () => {
      const { accounts: store, lists } = await accounts();
      await store.save(admin);
      await store.save({ ...admin, email: "root@example.com" });
      expect(await lists.emailsWithRole("admin")).toEqual(new Set(["root@example.com"]));
      await store.registerAll([account("bob", { email: "admin@example.com" })], undefined);
      const carol = account("carol", { email: "ROOT@example.com" });
      await expect(store.registerAll([carol], undefined)).rejects.toMatchObject(emailTaken);
      await expect(store.save({ ...admin, email: "admin@example.com" })).rejects.toMatchObject(emailTaken);
      expect(await store.get("admin")).toMatchObject({ email: "root@example.com" });
    });
  });

  const registered = { ...alice, role: "user", tokenVersion: 0 };

  it("changes nothing of an account that has changed since it was read, or does not exist", async () => {
    const { accounts: store, all } = await accounts();
    await store.registerAll([alice], undefined);
    const others = [{ passwordHash: "x" }, { tokenVersion: 1 }, { loginsLeft: 1 }, { username: "nobody" }];
    for (const other of others.map((changes) => ({ ...registered, ...changes }))) {
      expect(await store.update(other, { passwordHash: "better" })).toBe(false);
      expect(await store.remove(other)).toBe(false);
    }
    expect(await store.get("alice")).toEqual(registered);
    expect(await all()).toEqual([{ username: "alice", email: alice.email, role: "user" }]);
  });

  it("leaves of a deleted account its username, which nobody else gets", async () => {
    const { accounts: store, lists, all, table } = await accounts();
    await store.registerAll([account("Carol")], undefined);
    await store.save({ ...account("Carol"), role: "admin" });
    const carol = await store.get("Carol");
    expect(carol && (await store.remove(carol))).toBe(true);

    expect([await store.get("Carol"), await store.getProfile("Carol")]).toEqual([undefined, "deleted"]);
    expect(await store.getProfile("carol")).toBeUndefined();
    expect([await all(), await lists.emailsWithRole("admin")]).toEqual([[], new Set()]);
    for (const username of ["Carol", "carol"]) {
      const again = { ...account("Carol"), username };
      await expect(store.registerAll([again], undefined)).rejects.toMatchObject(taken);
      await expect(store.save({ ...again, role: "user" })).rejects.toMatchObject(taken);
    }
    await store.registerAll([account("dave", { email: "carol@example.com" })], undefined);
    const left = (await scanTable(endpoint, table)).filter(({ reserves }) => reserves !== undefined);
    expect(left.map(({ sk }) => sk?.S).sort()).toEqual(["Carol", "carol"]);
  });

  it("reports a taken e-mail also when another item has a transaction conflict", async () => {
    const { accounts: store } = await accounts(() => "contested");
    await expect(store.registerAll([alice], undefined)).rejects.toMatchObject(emailTaken);
  });
});
