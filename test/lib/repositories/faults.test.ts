import { type DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { AccountQueries } from "../../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../../lib/repositories/accounts/login-throttle.ts";
import { ItemsRepository } from "../../../lib/repositories/items.ts";
import { OrdersRepository } from "../../../lib/repositories/orders/orders.ts";
import { PostQueries } from "../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../lib/repositories/posts/posts.ts";
import { IdAllocation } from "../../../lib/repositories/records/id-allocation.ts";
import { type RecordOf, RecordRepository } from "../../../lib/repositories/records/record-repository.ts";
import { repairIds } from "../../../lib/repositories/repair/id-repair.ts";
import { openShop } from "../../functions/orders/shop.ts";
import { engines, recordTable, testClient } from "../../support/database/database.ts";
import { type Fault, injectFaults, type Plan } from "../../support/database/faults.ts";
import { scaled } from "../../support/effort.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

const endpoint = engines[0]?.endpoint ?? "";
const now = () => new Date("2026-03-01T12:00:00.000Z");
const any = () => undefined;

type Act<Repositories> = (repositories: Repositories) => Promise<unknown>;

interface Area<Repositories> {
  /** Creates tables with some records. Returns the repositories on them with a client. */
  open(): Promise<(client: DynamoDBDocumentClient) => Repositories>;
  readonly writes: Readonly<Record<string, Act<Repositories>>>;
  readonly reads: Readonly<Record<string, Act<Repositories>>>;
  /** What others can read. */
  readonly state: Act<Repositories>;
}

const StoredNote = z.object({ text: z.string() });
type Note = RecordOf<typeof StoredNote>;

const records: Area<RecordRepository<Note>> = {
  async open() {
    const table = await recordTable(endpoint);
    const open = (client: DynamoDBDocumentClient) =>
      new RecordRepository<Note>(client, table, StoredNote, now);
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

const items: Area<ItemsRepository> = {
  async open() {
    const table = await recordTable(endpoint);
    const open = (client: DynamoDBDocumentClient) => new ItemsRepository(client, table);
    for (const name of ["a", "b"]) await open(testClient(endpoint)).create("{}", name, undefined);
    return open;
  },
  writes: {
    create: (store) => store.create("{}", "c", undefined),
    remove: async (store) => [await store.remove(1), await store.remove(1)],
  },
  reads: { get: (store) => store.get(1), page: (store) => store.page(0, 1) },
  state: (store) => store.page(0, 9),
};

const fields = { title: "t", content: "c", status: "draft", tags: ["a"] } as const;
const oldest = { sort_by: "created_at", order: "asc", limit: 9 } as const;

const posts: Area<{ readonly posts: PostsRepository; readonly lists: PostQueries }> = {
  async open() {
    const table = await stackTable(endpoint, "posts");
    const open = (client: DynamoDBDocumentClient) => ({
      posts: new PostsRepository(client, table, now),
      lists: new PostQueries(client, table),
    });
    const { posts: store } = open(testClient(endpoint));
    for (const author of [1, 2]) await store.create(author, { ...fields, tags: ["a"] }, undefined);
    return open;
  },
  writes: {
    create: ({ posts: store }) => store.create(1, { ...fields, tags: ["a", "b"] }, undefined),
    view: ({ posts: store }) => store.view(1),
    "update the title": ({ posts: store }) => store.update(1, { title: "x" }),
    "update the content and the tags": ({ posts: store }) => store.update(1, { content: "x", tags: ["b"] }),
    "update the title with a precondition": ({ posts: store }) => store.update(1, { title: "x" }, any),
    "update the content with a precondition": ({ posts: store }) => store.update(1, { content: "x" }, any),
    remove: async ({ posts: store }) => [await store.remove(1), await store.remove(1)],
    "remove with a precondition": ({ posts: store }) => store.remove(1, { precondition: any }),
  },
  reads: {
    page: ({ lists }) => lists.page(oldest),
    "page by tag": ({ lists }) => lists.page({ ...oldest, tag: "a" }),
    search: ({ lists }) => lists.search({ q: "c", fields: ["title", "content"] }),
    "count posts": ({ lists }) => lists.statistics(),
    "list by author": ({ lists }) => lists.listByAuthor(1),
  },
  state: ({ lists }) => Promise.all([undefined, "a", "b"].map((tag) => lists.page({ ...oldest, tag }))),
};

const account = (username: string) => ({
  username,
  email: `${username}@example.com`,
  passwordHash: "hash",
  age: null,
  website: null,
});
const saved = { username: "alice", email: "new@example.com", passwordHash: "new", role: "admin" };

const accounts: Area<{ readonly accounts: AccountsRepository; readonly lists: AccountQueries }> = {
  async open() {
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
    rehash: ({ accounts: store }) => store.rehash("alice", "hash", "better"),
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

const logins: Area<{ readonly logins: LoginThrottle; readonly counts: () => Promise<unknown> }> = {
  async open() {
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
    "fail for the first time": async ({ logins: throttle }) =>
      (await throttle.begin("bob", "198.51.100.1")).failed(),
    "count a failure in advance": async ({ logins: throttle }) => {
      await throttle.begin("alice", "203.0.113.7");
    },
    succeed: async ({ logins: throttle }) => (await throttle.begin("alice", "203.0.113.7")).succeeded(),
  },
  reads: {},
  state: ({ counts }) => counts(),
};

type Shop = Awaited<ReturnType<typeof openShop>>;
const line = { product_id: 1, quantity: 3 };

const orders: Area<Pick<Shop, "placement" | "orders"> & { readonly shop: Shop }> = {
  async open() {
    const shop = await openShop(endpoint);
    for (let i = 0; i < 2; i += 1) await shop.offer();
    await shop.placement.place(1, [line], undefined);
    return (client) => ({
      shop,
      placement: shop.placementWith(client),
      orders: new OrdersRepository(client, shop.tables.orders, now),
    });
  },
  writes: {
    "place two of one product": async ({ placement }) => [
      await placement.place(1, [line], undefined),
      await placement.place(1, [line], undefined),
    ],
    "place one of two products": ({ placement }) =>
      placement.place(1, [line, { product_id: 2, quantity: 1 }], undefined),
    "change a status": ({ orders: store }) => store.changeStatus(1, "cancelled"),
  },
  reads: { list: ({ orders: store }) => store.list({ user_id: 1 }) },
  state: async ({ shop, orders: store }) => [
    await store.list({}),
    await shop.products.list(),
    await shop.reserved(),
  ],
};

const ids: Area<{ readonly repair: () => Promise<unknown>; readonly read: () => Promise<unknown> }> = {
  async open() {
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
function casesOf<R>(area: string, { open, writes, reads, state }: Area<R>) {
  async function run(openWith: (client: DynamoDBDocumentClient) => R, act: Act<R>, plan: Plan) {
    const client = testClient(endpoint);
    const attempted = injectFaults(client, plan);
    return { returned: await act(openWith(client)), calls: attempted.length };
  }
  const opened = lazily(open);
  return {
    writes: Object.entries(writes).map(([name, act]) => {
      /** What it returns, and what others read then. */
      const outcome = async (plan: Plan) => {
        const openWith = await open();
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
  casesOf("items", items),
  casesOf("posts", posts),
  casesOf("accounts", accounts),
  casesOf("logins", logins),
  casesOf("orders", orders),
  casesOf("ids", ids),
];

describe.each(cases.flatMap(({ writes }) => writes))("$name", ({ outcome, withoutFault }) => {
  it.each(["conflict", "throttled", "timeout", "lost", "refused"] as const)(
    "has the same result if attempts at any call are %s",
    async (fault) => {
      const { calls, outcome: expected } = await withoutFault();
      for (let from = 1; from <= calls; from += 1)
        for (let faults = 1; faults <= scaled(2); faults += 1) {
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

describe.each(cases.flatMap(({ all }) => all))("$name", ({ unavailable }) => {
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
