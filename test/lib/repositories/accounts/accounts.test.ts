import { describe, expect, it } from "vitest";
import { accountKey } from "../../../../lib/repositories/accounts/account-items.ts";
import { AccountQueries } from "../../../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository, type NewAccount } from "../../../../lib/repositories/accounts/accounts.ts";
import { callDynamodb } from "../../../../local/database/dynamodb-call.ts";
import { budgetOf } from "../../../support/data/budgets.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { scanTable } from "../../../support/data/stored-items.ts";
import { engines, fill, recordTable, testClient } from "../../../support/database/database.ts";
import { injectFaults, type Plan } from "../../../support/database/faults.ts";

function account(username: string, changes: Partial<NewAccount> = {}): NewAccount {
  return {
    username,
    email: `${username}@example.com`,
    passwordHash: `hash of ${username}`,
    age: null,
    website: null,
    ...changes,
  };
}

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

  it.each([
    "",
    "al",
    "a".repeat(51),
    "a".repeat(5_000),
    "al ice",
    "alice#",
    "älice",
    "\ud800abc",
    "__proto__x!",
  ])("makes no call for the invalid username %j", async (username) => {
    const { accounts: store, attempted } = await accounts(() => undefined);
    expect(await store.get(username)).toBeUndefined();
    expect(attempted).toEqual([]);
  });

  const bobbie = account("Bobbie", { email: "another@example.com" });
  const taken = { code: "Conflict", field: "username" };

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

  it("lets no registration take a reserved username, in any case, without a call", async () => {
    const { accounts: store, attempted } = await accounts(() => undefined);
    for (const username of ["root", "Administrator", "SUPPORT", "Sales"])
      await expect(
        store.checkRegistration([account("bob"), account(username)], undefined, ["sales"]),
      ).rejects.toMatchObject(taken);
    expect(attempted).toEqual([]);
  });

  it("stores no field that is null", async () => {
    const { accounts: store, table } = await accounts();
    await store.registerAll([alice], undefined);

    for (const item of await scanTable(endpoint, table))
      expect(Object.values(item)).not.toContainEqual({ NULL: true });
  });

  it("gives a username and an e-mail to one of many concurrent requests", async () => {
    const { accounts: store, all } = await accounts();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) =>
        store.registerAll(
          [
            i % 2 === 0
              ? account("alice", { email: `${i}@example.com` })
              : account(`user${i}`, { email: "one@example.com" }),
          ],
          undefined,
        ),
      ),
    );

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "Conflict" });
    expect(await all()).toHaveLength(2);
  });

  it("lists all accounts by username, beyond the limit of one query response", async () => {
    const { lists, client, table, all } = await accounts();
    const website = `https://${"x".repeat(2_000)}`;
    const items = Array.from({ length: 900 }, (_, i) => ({
      pk: `accounts#${i % 2}`,
      sk: `user${i}`,
      ...account(`user${i}`, { website }),
      role: "user",
    })).map(({ age: _, ...item }) => item);
    await fill(client, table, items);

    const names = (await all()).map(({ username }) => username);
    expect(names).toHaveLength(900);
    expect(names).toEqual([...names].sort());
    for (const limit of [1, 7, 899]) {
      const seen: string[] = [];
      for (let after: string | undefined = ""; after !== undefined && seen.length < 20; ) {
        const part: Awaited<ReturnType<typeof lists.list>> = await lists.list({
          after: after || undefined,
          limit,
        });
        expect(part.records.length).toBeLessThanOrEqual(limit);
        seen.push(...part.records.map(({ username }) => username));
        after = part.next;
      }
      expect(seen).toEqual(names.slice(0, seen.length));
    }
    expect(await lists.list({ after: names.at(-2), limit: 1 })).toMatchObject({ next: undefined });
  });

  it("limits a list to its budget, and continues after it without a gap", async () => {
    const { lists, client, table } = await accounts();
    const website = `https://${"x".repeat(200_000)}`;
    // The second partition has the first accounts, so its part of the list ends first.
    for (let i = 0; i < 160; i += 1) {
      const { age: _, ...item } = account(`user${100 + i}`, { website });
      await fill(client, table, [
        { pk: `accounts#${i < 80 ? 1 : i % 3}`, sk: item.username, ...item, role: "user" },
      ]);
    }
    const seen: string[] = [];
    let parts = 0;
    for (let after: string | undefined = ""; after !== undefined; parts += 1) {
      const part: Awaited<ReturnType<typeof lists.list>> = await lists.list(
        { after: after || undefined },
        budgetOf(8 * 1024 * 1024),
      );
      seen.push(...part.records.map(({ username }) => username));
      after = part.next;
    }

    expect(parts).toBeGreaterThan(1);
    expect(seen).toEqual(Array.from({ length: 160 }, (_, i) => `user${100 + i}`));
  });

  it("leaves out a damaged account, whose own read fails", async () => {
    const { accounts: store, client, table, all } = await accounts();
    await store.registerAll([alice], undefined);
    await fill(client, table, [{ pk: "accounts#3", sk: "broken", username: "broken" }]);
    expect((await all()).map(({ username }) => username)).toEqual(["alice"]);
    await fill(client, table, [{ ...accountKey("broken"), username: "broken" }]);
    await expect(store.getProfile("broken")).rejects.toThrow("is damaged: email");
  });

  describe("a batch", () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => account(`user${i}`));

    it.each([
      ["a username", account("user0", { email: "new@example.com" }), "username"],
      ["a username in another case", account("USER0", { email: "new@example.com" }), "username"],
      ["an e-mail", account("new", { email: "USER1@example.com" }), "email"],
    ])("that repeats %s registers no account and makes no call", async (_, second, field) => {
      const { accounts: store, attempted } = await accounts(() => undefined);
      await expect(store.checkRegistration([...many(3), second], undefined)).rejects.toMatchObject({
        code: "Conflict",
        field,
      });
      expect(attempted).toEqual([]);
    });

    it("does not confuse a username with an equal e-mail", async () => {
      const { accounts: store, all } = await accounts();
      await store.registerAll(
        [account("email", { email: "a@example.com" }), account("bob", { email: "email" })],
        undefined,
      );

      expect(await all()).toHaveLength(2);
    });
  });

  describe("a registration that is checked first", () => {
    const key = idempotencyContext("k");

    it("is recognized as a repeated request if the read sees the account but not yet its key", async () => {
      const { accounts: store, client } = await accounts();
      await store.registerAll([alice], key);
      client.middlewareStack.add(
        (next) => async (args) => {
          const result = await next(args);
          const { Responses = {} } = result.output as { Responses?: Record<string, { pk: { S: string } }[]> };
          const { RequestItems = {} } = args.input as {
            RequestItems?: Record<string, { ConsistentRead: boolean }>;
          };
          for (const [table, { ConsistentRead }] of Object.entries(RequestItems))
            if (!ConsistentRead)
              Responses[table] = (Responses[table] ?? []).filter(({ pk }) => !pk.S.startsWith("key#"));
          return result;
        },
        { name: "staleRead", step: "deserialize", priority: "high" },
      );

      expect(await store.checkRegistration([alice], key)).toBe("replay");
      expect(await store.checkRegistration([alice], undefined)).toMatchObject({ index: 0 });
    });
  });

  describe("saved by an operator", () => {
    const admin = { username: "admin", email: "Admin@example.com", passwordHash: "1", role: "admin" };

    it("is created with its role, and changed by saving it again, which ends tokens of another password", async () => {
      const { accounts: store, all, lists } = await accounts();
      await store.save({ username: "other", email: "o@example.com", passwordHash: "1", role: "auditor" });
      for (const [tokenVersion, passwordHash] of [..."1123"].entries()) {
        await store.save({ ...admin, passwordHash });
        expect(await store.get("admin")).toMatchObject({ ...admin, passwordHash });
        expect(await store.getProfile("admin")).toMatchObject({
          tokenVersion: Math.max(0, tokenVersion - 1),
        });
        expect(await all()).toHaveLength(2);
        expect(await lists.emailsWithRole("admin")).toEqual(new Set(["admin@example.com"]));
      }
    });

    it("keeps stored attributes that this version does not know", async () => {
      const { accounts: store, table } = await accounts();
      await store.save(admin);
      const stored = await scanTable(endpoint, table);
      for (const item of stored)
        await callDynamodb({ endpoint }, "PutItem", {
          TableName: table,
          Item: { ...item, later: { BOOL: true } },
        });
      await store.save({ ...admin, passwordHash: "2" });

      expect(stored).toHaveLength(3);
      for (const item of await scanTable(endpoint, table))
        expect(item).toMatchObject({ later: { BOOL: true } });
    });

    it("grants a role to a registered account, and revokes it", async () => {
      const { accounts: store, lists } = await accounts();
      const bob = account("bob", { age: 30, website: "http://bob.example" });
      await store.registerAll([bob], undefined);
      await store.save({ username: "bob", email: bob.email, passwordHash: "new", role: "admin" });

      expect(await store.get("bob")).toMatchObject({ ...bob, passwordHash: "new", role: "admin" });
      expect(await lists.emailsWithRole("admin")).toEqual(new Set([bob.email]));

      await store.save({ username: "bob", email: bob.email, passwordHash: "new", role: "user" });
      expect(await lists.emailsWithRole("admin")).toEqual(new Set());
    });

    it("holds its new e-mail and releases the old one", async () => {
      const { accounts: store, lists } = await accounts();
      await store.save(admin);
      await store.save({ ...admin, email: "root@example.com" });

      expect(await lists.emailsWithRole("admin")).toEqual(new Set(["root@example.com"]));
      await store.registerAll([account("bob", { email: "admin@example.com" })], undefined);
      await expect(
        store.registerAll([account("carol", { email: "ROOT@example.com" })], undefined),
      ).rejects.toMatchObject({ field: "email" });
    });

    it("cannot have the e-mail of another account", async () => {
      const { accounts: store, lists } = await accounts();
      await store.registerAll([alice], undefined);

      await expect(store.save({ ...admin, email: alice.email })).rejects.toMatchObject({
        code: "Conflict",
        field: "email",
      });
      expect(await store.get("admin")).toBeUndefined();
      expect(await lists.emailsWithRole("admin")).toEqual(new Set());
    });

    it("has the fields of one of several concurrent saves", async () => {
      const { accounts: store, lists } = await accounts();
      const emails = ["a@example.com", "b@example.com", "c@example.com", "d@example.com"];
      await Promise.all(emails.map((email, i) => store.save({ ...admin, email, passwordHash: `${i}` })));

      const saved = await store.get("admin");
      expect(await lists.emailsWithRole("admin")).toEqual(new Set([saved?.email]));
      // The overwritten accounts hold no e-mail any more.
      const free = emails.filter((email) => email !== saved?.email);
      await store.registerAll(
        free.map((email, i) => account(`user${i}`, { email })),
        undefined,
      );
    });
  });

  const registered = { ...alice, role: "user", tokenVersion: 0 };

  it("changes nothing of an account that has changed since it was read, or does not exist", async () => {
    const { accounts: store, all } = await accounts();
    await store.registerAll([alice], undefined);
    for (const other of [
      { passwordHash: "x" },
      { tokenVersion: 1 },
      { loginsLeft: 1 },
      { username: "nobody" },
    ]) {
      expect(await store.update({ ...registered, ...other }, { passwordHash: "better" })).toBe(false);
      expect(await store.remove({ ...registered, ...other })).toBe(false);
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

  it("is deleted once, and never comes back, while its password is changed and it is saved", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { accounts: store, all } = await accounts();
      await store.registerAll([alice], undefined);
      const [removed, changed] = await Promise.allSettled([
        store.remove(registered),
        store.update(registered, { passwordHash: "changed", tokenVersion: 1 }),
        store.remove(registered),
        store.save({ ...alice, email: "other@example.com", role: "admin" }),
      ]);
      const profile = await store.getProfile("alice");
      if (removed.status === "fulfilled" && removed.value) {
        expect([profile, changed]).toEqual(["deleted", { status: "fulfilled", value: false }]);
        expect(await all()).toEqual([]);
      }
    }
  });

  it("reports a taken e-mail also when another item has a transaction conflict", async () => {
    const { accounts: store } = await accounts(() => "contested");
    await expect(store.registerAll([alice], undefined)).rejects.toMatchObject({
      code: "Conflict",
      field: "email",
    });
  });
});
