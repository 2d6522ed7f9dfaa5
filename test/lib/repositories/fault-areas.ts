import { type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { type ApiError, preconditionFailed } from "../../../lib/domain/errors.ts";
import { deletedCountKey, IdAllocation } from "../../../lib/records/id-allocation.ts";
import { repairIds } from "../../../lib/records/id-repair.ts";
import { giveRecord, idsOfOwner } from "../../../lib/records/owners.ts";
import type { StoredAccount } from "../../../lib/repositories/accounts/account-items.ts";
import { AccountQueries } from "../../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../../lib/repositories/accounts/login-throttle.ts";
import { idempotencyContext } from "../../support/data/idempotency.ts";
import { notesIn } from "../../support/data/notes.ts";
import { fill, recordTable, testClient } from "../../support/database/database.ts";
import { any, type FaultArea, now } from "../../support/database/fault-area.ts";
import { newAccount } from "./accounts/new-account.ts";

// What other areas than those of functions try (test/functions/<area>/faults.ts).

const key = idempotencyContext("key");

/** Infers what the area opens. */
const area = <Opened>(declared: FaultArea<Opened>) => declared;

const records = area({
  async open(endpoint) {
    const table = await recordTable(endpoint);
    const open = (client: DynamoDBDocumentClient) => ({
      notes: notesIn(client, table),
      give: (owner: string | undefined) => giveRecord(client, table, 1, owner),
      owned: (owner: string) => idsOfOwner(client, table, owner),
    });
    const { notes, give } = open(testClient(endpoint));
    for (const text of ["a", "b"]) await notes.create({ text }, undefined);
    await give("ada");
    return { tables: { notes: table }, with: open };
  },
  writes: {
    create: ({ notes }) => notes.create({ text: "c" }, undefined),
    "create with a key": ({ notes }) => notes.create({ text: "d" }, key),
    update: ({ notes }) => notes.update(1, { text: "c" }),
    "update with a precondition": ({ notes }) => notes.update(1, { text: "c" }, any),
    remove: ({ notes }) => notes.remove(1),
    "remove with a precondition": ({ notes }) => notes.remove(1, any),
    give: ({ give }) => give("bob"),
  },
  reads: {
    get: ({ notes }) => notes.get(1),
    list: ({ notes }) => notes.list(),
    page: ({ notes }) => notes.page(0, 1),
  },
  others: {
    "give a record away, change it and change it back": [
      async ({ notes, give }) => {
        await notes.create({ text: "d" }, key);
        await notes.update(1, { text: "x" });
        await give("cid");
      },
      ({ notes }) => notes.update(1, { text: "a" }),
    ],
    "remove records": [
      async ({ notes }) => {
        for (const { id, text } of (await notes.list()).records) if (text !== "b") await notes.remove(id);
      },
    ],
  },
  state: async ({ notes, owned }) => [
    await notes.page(0, 9),
    await owned("ada"),
    await owned("bob"),
    await owned("cid"),
  ],
});

const [bob, carol] = [newAccount("bob"), newAccount("carol")];
const saved = { username: "alice", email: "new@example.com", passwordHash: "new", role: "admin" };

/** Makes a change that is refused if the account was changed since it was read. */
async function change(store: AccountsRepository, make: (stored: StoredAccount) => Promise<boolean>) {
  const stored = await store.get("alice");
  if (stored && !(await make(stored))) throw preconditionFailed();
}

const unlessTaken = (act: Promise<unknown>) =>
  act.catch((error: ApiError) => {
    if (error.code !== "Conflict") throw error;
  });

const accounts = area({
  async open(endpoint) {
    const table = await recordTable(endpoint, "S");
    const open = (client: DynamoDBDocumentClient) => ({
      accounts: new AccountsRepository(client, table),
      lists: new AccountQueries(client, table),
    });
    await open(testClient(endpoint)).accounts.registerAll([newAccount("alice")], undefined);
    return { tables: {}, with: open };
  },
  writes: {
    "register one": ({ accounts: store }) => store.registerAll([bob], undefined),
    "register two": ({ accounts: store }) => store.registerAll([bob, carol], key),
    "save a new one": ({ accounts: store }) => store.save({ ...saved, username: "admin" }),
    "save another e-mail": ({ accounts: store }) => store.save(saved),
    "change the password": ({ accounts: store }) =>
      change(store, (stored) => store.update(stored, { passwordHash: "better", tokenVersion: 1 })),
    delete: ({ accounts: store }) => change(store, (stored) => store.remove(stored)),
  },
  reads: {
    "check a registration": ({ accounts: store }) => store.checkRegistration([bob], undefined),
    get: ({ accounts: store }) => store.get("alice"),
    "get the profile": ({ accounts: store }) => store.getProfile("alice"),
    list: ({ lists }) => lists.list(),
    "list administrators": ({ lists }) => lists.emailsWithRole("admin"),
  },
  others: {
    "save the account and register another": [
      async ({ accounts: store }) => {
        await unlessTaken(store.save({ ...saved, email: "newer@example.com", passwordHash: "newer" }));
        await unlessTaken(store.registerAll([bob, carol], key));
      },
    ],
    "delete the account": [
      async ({ accounts: store }) => {
        const stored = await store.get("alice");
        if (stored) await store.remove(stored);
      },
    ],
  },
  state: async ({ accounts: store, lists }) => [
    await lists.list(),
    await store.get("alice"),
    await lists.emailsWithRole("admin"),
  ],
});

const HOME = "203.0.113.7";

const logins = area({
  async open(endpoint) {
    const table = await recordTable(endpoint, "S");
    const clock = { now: now().getTime() };
    const open = (client: DynamoDBDocumentClient) => ({
      logins: new LoginThrottle(client, table, () => new Date(clock.now)),
      clock,
      async counts() {
        const { Items: counters = [] } = await client.send(new ScanCommand({ TableName: table }));
        return counters.map(({ failures }) => failures).sort();
      },
    });
    const { logins: throttle } = open(testClient(endpoint));
    for (let i = 0; i < 5; i += 1) await (await throttle.begin("alice", HOME)).failed();
    clock.now += 1_000;
    return { tables: {}, with: open };
  },
  writes: {
    "fail for the first time": async ({ logins: throttle }) =>
      (await throttle.begin("bob", "198.51.100.1")).failed(),
    "count a failure in advance": async ({ logins: throttle }) => {
      await throttle.begin("alice", HOME);
    },
    succeed: async ({ logins: throttle }) => (await throttle.begin("alice", HOME)).succeeded(),
  },
  reads: {},
  others: {
    "fail, too": [
      async ({ logins: throttle, clock }) => {
        clock.now += 60_000;
        await (await throttle.begin("alice", HOME)).failed();
      },
    ],
  },
  isApproximate: true,
  state: ({ counts }) => counts(),
});

const ids = area({
  async open(endpoint) {
    const name = await recordTable(endpoint);
    const open = (client: DynamoDBDocumentClient) => ({
      notes: notesIn(client, name),
      async repair() {
        const [found] = await repairIds(client, [{ name }], { wait: async () => undefined });
        return found && { ...found, table: undefined };
      },
      async read() {
        const { last, deleted } = await new IdAllocation(client, name).read();
        return [last, ...deleted];
      },
    });
    const { notes } = open(testClient(endpoint));
    for (const text of ["a", "b"]) await notes.create({ text }, undefined);
    await new IdAllocation(testClient(endpoint), name).allocate();
    await fill(testClient(endpoint), name, [{ ...deletedCountKey(0), n: 2 }]);
    return { tables: { notes: name }, with: open };
  },
  writes: { repair: ({ repair }) => repair() },
  reads: {},
  others: { "remove a record": [({ notes }) => notes.remove(1)] },
  state: ({ read }) => read(),
});

export const ownFaultAreas = { records, accounts, logins, ids };
