import { type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { IdAllocation } from "../../../lib/records/id-allocation.ts";
import { repairIds } from "../../../lib/records/id-repair.ts";
import type { RecordRepository } from "../../../lib/records/record-repository.ts";
import { AccountQueries } from "../../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../../lib/repositories/accounts/login-throttle.ts";
import { type Note, notesIn } from "../../support/data/notes.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { any, type FaultArea, now } from "../../support/database/fault-area.ts";
import { type Fault, injectFaults, type Plan } from "../../support/database/faults.ts";
import { onlyOnce, scaled } from "../../support/effort.ts";
import { ofAreas } from "../../support/of-areas.ts";

const endpoint = engines[0]?.endpoint ?? "";

const records: FaultArea<RecordRepository<Note>> = {
  async open(endpoint) {
    const table = await recordTable(endpoint);
    const open = (client: DynamoDBDocumentClient) => notesIn(client, table, now);
    for (const text of ["a", "b"]) await open(testClient(endpoint)).create({ text }, undefined);
    return open;
  },
  writes: {
    create: (notes) => notes.create({ text: "c" }, undefined),
    update: (notes) => notes.update(1, { text: "c" }),
    "update with a precondition": (notes) => notes.update(1, { text: "c" }, any),
    remove: async (notes) => [await notes.remove(1), await notes.remove(1)],
    "remove with a precondition": (notes) => notes.remove(1, any),
  },
  reads: { get: (notes) => notes.get(1), list: (notes) => notes.list(), page: (notes) => notes.page(0, 1) },
  state: (notes) => notes.page(0, 9),
};

const account = (username: string) => ({
  username,
  email: `${username}@example.com`,
  passwordHash: "hash",
  age: null,
  website: null,
});
const saved = { username: "alice", email: "new@example.com", passwordHash: "new", role: "admin" };

async function read(store: AccountsRepository) {
  const stored = await store.get("alice");
  if (stored === undefined) throw new Error("There is no account");
  return stored;
}

const accounts: FaultArea<{ readonly accounts: AccountsRepository; readonly lists: AccountQueries }> = {
  async open(endpoint) {
    const table = await recordTable(endpoint, "S");
    const open = (client: DynamoDBDocumentClient) => ({
      accounts: new AccountsRepository(client, table),
      lists: new AccountQueries(client, table),
    });
    await open(testClient(endpoint)).accounts.registerAll([account("alice")], undefined);
    return open;
  },
  writes: {
    "register one": ({ accounts: store }) => store.registerAll([account("bob")], undefined),
    "register two": ({ accounts: store }) => store.registerAll([account("bob"), account("carol")], undefined),
    "save a new one": ({ accounts: store }) => store.save({ ...saved, username: "admin" }),
    "save another e-mail": ({ accounts: store }) => store.save(saved),
    "change the password": async ({ accounts: store }) =>
      store.update(await read(store), { passwordHash: "better", tokenVersion: 1 }),
    delete: async ({ accounts: store }) => store.remove(await read(store)),
  },
  reads: {
    "check a registration": ({ accounts: store }) => store.checkRegistration([account("bob")], undefined),
    get: ({ accounts: store }) => store.get("alice"),
    "get the profile": ({ accounts: store }) => store.getProfile("alice"),
    list: ({ lists }) => lists.list(),
    "list administrators": ({ lists }) => lists.emailsWithRole("admin"),
  },
  state: async ({ accounts: store, lists }) => [
    await lists.list(),
    await store.get("alice"),
    await lists.emailsWithRole("admin"),
  ],
};

const logins: FaultArea<{ readonly logins: LoginThrottle; readonly counts: () => Promise<unknown> }> = {
  async open(endpoint) {
    const table = await recordTable(endpoint, "S");
    const clock = { now: now().getTime() };
    const open = (client: DynamoDBDocumentClient) => ({
      logins: new LoginThrottle(client, table, () => new Date(clock.now)),
      async counts() {
        const { Items: counters = [] } = await client.send(new ScanCommand({ TableName: table }));
        return counters.map(({ failures }) => failures).sort();
      },
    });
    const { logins: throttle } = open(testClient(endpoint));
    for (let i = 0; i < 5; i += 1) await (await throttle.begin("alice", "203.0.113.7")).failed();
    clock.now += 1_000;
    return open;
  },
  writes: {
    "fail for the first time": async ({ logins }) => (await logins.begin("bob", "198.51.100.1")).failed(),
    "count a failure in advance": async ({ logins: throttle }) => {
      await throttle.begin("alice", "203.0.113.7");
    },
    succeed: async ({ logins: throttle }) => (await throttle.begin("alice", "203.0.113.7")).succeeded(),
  },
  reads: {},
  state: ({ counts }) => counts(),
};

const ids: FaultArea<{ readonly repair: () => Promise<unknown>; readonly read: () => Promise<unknown> }> = {
  async open(endpoint) {
    const name = await recordTable(endpoint);
    await new IdAllocation(testClient(endpoint), name).allocate();
    return (client) => ({
      async repair() {
        const [found] = await repairIds(client, [{ name }], { wait: async () => undefined });
        return found && { ...found, table: undefined };
      },
      read: () => new IdAllocation(client, name).read(),
    });
  },
  writes: { repair: ({ repair }) => repair() },
  reads: {},
  state: ({ read }) => read(),
};

/** Runs the acts of an area in a process with faults. */
function casesOf<R>(area: string, { open, writes, reads, state }: FaultArea<R>) {
  async function run(
    openWith: (client: DynamoDBDocumentClient) => R,
    act: FaultArea<R>["state"],
    plan: Plan,
  ) {
    const client = testClient(endpoint);
    const attempted = injectFaults(client, plan);
    return { returned: await act(openWith(client)), calls: attempted.length };
  }
  const opened = lazily(() => open(endpoint));
  return {
    writes: Object.entries(writes).map(([name, act]) => {
      const outcome = async (plan: Plan) => {
        const openWith = await open(endpoint);
        const { returned, calls } = await run(openWith, act, plan);
        return { calls, outcome: [returned, await state(openWith(testClient(endpoint)))] };
      };
      return { name: `${area}: ${name}`, outcome, withoutFault: lazily(() => outcome(() => undefined)) };
    }),
    all: Object.entries({ ...writes, ...reads }).map(([name, act]) => ({
      name: `${area}: ${name}`,
      unavailable: async (fault: Fault) => run(await opened(), act, () => fault),
    })),
  };
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const cases = [
  casesOf("records", records),
  casesOf("accounts", accounts),
  casesOf("logins", logins),
  casesOf("ids", ids),
  ...Object.entries(await ofAreas<FaultArea<never>>("faults")).map(([area, each]) => casesOf(area, each)),
];

describe.each(cases.flatMap(({ writes }) => writes))("$name", ({ outcome, withoutFault }) => {
  it.each(["conflict", "throttled", "timeout", "lost", "refused"] as const)(
    "has the same result if attempts at any call are %s",
    async (fault) => {
      const { calls, outcome: expected } = await withoutFault();
      for (let from = 1; from <= calls; from += 1)
        for (const faults of [...onlyOnce([1]), ...(scaled(2) > 1 ? [2] : [])]) {
          let call = 0;
          const plan: Plan = () => {
            call += 1;
            return call >= from && call < from + faults ? fault : undefined;
          };
          expect((await outcome(plan)).outcome).toEqual(expected);
        }
    },
  );
});

describe.each(onlyOnce(cases.flatMap(({ all }) => all)))("$name", ({ unavailable }) => {
  it.each(["conflict", "throttled", "timeout", "refused"] as const)(
    "is unavailable, instead of a wrong result, if every call is %s",
    async (fault) => {
      await expect(unavailable(fault)).rejects.toMatchObject({
        code: "ServiceUnavailable",
        retryAfterSeconds: expect.any(Number),
      });
    },
  );
});
