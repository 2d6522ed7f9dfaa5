import { describe, expect, it } from "vitest";
import { checkHistory } from "./check.ts";
import type {
  Change,
  Creation,
  Deletion,
  FinalState,
  History,
  Operation,
  Read,
  StoredRecord,
} from "./history.ts";
import { WriteUnits } from "./write-units.ts";

const todo = { id: 1, title: "name_1", completed: false };
const product = { id: 1, name: "name_2", description: "", price: 2.5, stock: 7, category: "kitchen" };
const order = { id: 1, user_id: 3, items: [{ product_id: 1, quantity: 3 }], total: 7.5, status: "paid" };
const post = {
  id: 1,
  title: "name_4",
  content: "About",
  status: "draft",
  tags: [],
  author_id: 1,
  view_count: 1,
};

const creationOf = (area: Creation["area"], record: StoredRecord, start: number, fields = {}): Creation => {
  const { id: _, total: __, view_count: ___, ...given } = record;
  return {
    kind: "creation",
    area,
    group: `${area} ${record.id}`,
    fields: { ...given, ...fields },
    record: { ...record, ...fields },
    outcome: "done",
    start,
    end: start + 1,
  };
};
const change = (area: Change["area"], fields: object, start: number, end = start + 1): Change => ({
  kind: "change",
  area,
  id: 1,
  fields: { ...fields },
  outcome: "done",
  start,
  end,
});
const deletion = (id: number, start: number, outcome: Deletion["outcome"] = "done"): Deletion => ({
  kind: "deletion",
  area: "todos",
  id,
  outcome,
  start,
  end: start + 1,
});
const read = (area: Read["area"], start: number, record?: StoredRecord): Read => ({
  kind: "read",
  area,
  id: record?.id ?? 1,
  outcome: record ? "done" : "refused",
  start,
  end: start + 1,
  ...(record && { record }),
});

const operations: readonly Operation[] = [
  creationOf("todos", { ...todo, title: "name_0" }, 10),
  change("todos", { title: "name_1" }, 20),
  creationOf("todos", { id: 2, title: "name_9", completed: false }, 30),
  deletion(2, 40),
  creationOf("products", { ...product, stock: 10 }, 50),
  creationOf("orders", { ...order, status: "pending" }, 60),
  change("orders", { status: "paid" }, 70),
  creationOf("posts", { ...post, view_count: 0 }, 80),
  read("posts", 90, { ...post, view_count: 1 }),
  read("todos", 100, todo),
];

const history: History = {
  operations,
  registrations: [{ usernames: ["ada", "bob"], outcome: "done" }],
  shopProducts: [1],
};

const state: FinalState = {
  listings: {
    todos: [{ name: "list", records: [todo] }],
    users: [{ name: "list", records: [] }],
    products: [{ name: "list", records: [product], total: 1 }],
    orders: [{ name: "list", records: [order] }],
    posts: [{ name: "list", records: [post] }],
    items: [{ name: "list", records: [] }],
  },
  postStatistics: { total_posts: 1, by_status: { draft: 1 }, total_views: 1 },
  usernames: ["ada", "admin", "bob"],
  failedLogins: [],
  repairedIds: { todos: 0, users: 0, products: 0, orders: 0, posts: 0, items: 0 },
};

const check = (more: readonly Operation[], changed: Partial<FinalState> = {}) =>
  checkHistory({ ...history, operations: [...operations, ...more] }, { ...state, ...changed });

const withListing = (area: Creation["area"], ...records: StoredRecord[]): Partial<FinalState> => ({
  listings: { ...state.listings, [area]: [{ name: "list", records }] },
});

describe("checkHistory", () => {
  it("takes a record as created by the first of repeated requests that was acknowledged", () => {
    const [first] = operations;
    const repeated = { ...(first as Creation), start: 97, end: 98 };
    const between = read("todos", 15, { ...todo, title: "name_0" });

    expect(check([between, repeated])).toEqual([]);
    expect(check([repeated, read("todos", 15)])).toEqual(["todos: 1 was not found although it existed"]);
  });

  it("accepts a history that keeps all promises", () => {
    expect(check([])).toEqual([]);
  });

  it("accepts that an operation without an answer happened, or did not", () => {
    const unknown = { ...change("todos", { title: "name_7" }, 200), outcome: "unknown" as const };
    expect(check([unknown])).toEqual([]);
    expect(check([unknown], withListing("todos", { ...todo, title: "name_7" }))).toEqual([]);
  });

  it("accepts that a change was read although its record was deleted before it was refused", () => {
    const record = { id: 2, title: "name_9", completed: true };
    const refused = { ...change("todos", { completed: true }, 35, 42), id: 2, outcome: "refused" as const };
    expect(check([refused, read("todos", 37, record)])).toEqual([]);
    expect(check([{ ...refused, end: 39 }, read("todos", 37, record)])).toEqual([
      "todos: 2 was read with the completed true, which is old or was never written",
    ]);
  });

  const lostCreation = (start: number): Creation => {
    const { record: _, ...creation } = creationOf("todos", { id: 3, title: "n_8", completed: false }, start);
    return { ...creation, outcome: "unknown" };
  };
  const name8 = (id: number) => ({ id, title: "name_8", completed: false });

  it("accepts an id without a record for a creation that failed", () => {
    const later = creationOf("todos", { id: 4, title: "name_6", completed: false }, 210);
    const records = [todo, { id: 4, title: "name_6", completed: false }];
    expect(check([lostCreation(200), later], withListing("todos", ...records))).toEqual([]);
    expect(check([later], withListing("todos", ...records))).toEqual([
      "todos: 1 ids are unused, but only 0 creations failed",
    ]);
  });

  it.each<[violation: string, more: readonly Operation[], changed?: Partial<FinalState>]>([
    ["1 was created and is lost", [], withListing("todos")],
    [
      "the id 1 was given to todos 1 and to b",
      [creationOf("todos", todo, 200, { title: "x" })].map((c) => ({ ...c, group: "b" })),
    ],
    ["3 was created by no request", [], withListing("todos", todo, name8(3))],
    [
      "4 was created by no request, or twice",
      [lostCreation(200)],
      withListing("todos", todo, name8(3), name8(4)),
    ],
    [
      "todos 1 got different responses",
      [{ ...creationOf("todos", todo, 200, { title: "name_3" }), group: "todos 1" }],
    ],
    [
      "instead of",
      [{ ...creationOf("users", { id: 1, name: "a" }, 200), fields: { name: "b" } }],
      withListing("users", { id: 1, name: "a" }),
    ],
    ["1 was deleted and is there", [deletion(1, 200)]],
    ["2 was deleted 2 times", [deletion(2, 200)]],
    ["2 was read after it was deleted", [read("todos", 200, { id: 2, title: "name_9", completed: false })]],
    ["1 was not found although it existed", [read("todos", 200)]],
    ["1 could not be deleted although it existed", [deletion(1, 200, "refused")]],
    [`1 has the title "name_1"`, [change("todos", { title: "name_5" }, 200)]],
    [`1 was read with the title "name_0"`, [read("todos", 200, { ...todo, title: "name_0" })]],
    [`1 has the title "x"`, [], withListing("todos", { ...todo, title: "x" })],
    ["todos: 1 ids had to be repaired", [], { repairedIds: { ...state.repairedIds, todos: 1 } }],
    ["1 has a stock of 8 after 3 of 10", [], withListing("products", { ...product, stock: 8 })],
    ["1 has the total 7.51", [], withListing("orders", { ...order, total: 7.51 })],
    [
      "1 has the total 7.5, for which",
      [change("products", { price: 3 }, 55), change("products", { price: 2.5 }, 65)],
      withListing("products", product),
    ],
    [
      "1 was changed after it was cancelled",
      [change("orders", { status: "cancelled" }, 200), change("orders", { status: "paid" }, 210)],
    ],
    ["the statistics are", [], { postStatistics: { ...state.postStatistics, total_posts: 2 } }],
    ["1 has 1 views after 3 of 3 reads", [read("posts", 200, post), read("posts", 210, post)]],
    ["only 1 of ada, bob are registered", [], { usernames: ["ada", "admin"] }],
    ["ada cannot log in", [], { failedLogins: ["ada"] }],
  ])("finds that %s", (violation, more, changed) => {
    expect(check(more, changed)).toContainEqual(expect.stringContaining(violation));
  });

  it("finds pages and totals that differ from the list", () => {
    const withPages = (records: readonly StoredRecord[], total: number) => ({
      listings: { ...state.listings, todos: [...state.listings.todos, { name: "pages", records, total }] },
    });
    expect(check([], withPages([todo], 1))).toEqual([]);
    expect(check([], withPages([todo], 2))).toEqual(["todos: pages has 1 records and says 2"]);
    expect(check([], withPages([], 0))).toEqual(["todos: pages lacks 1"]);
    expect(check([], withPages([todo, todo], 2))).toEqual(["todos: pages has a record twice"]);
    expect(check([], withPages([{ ...todo, completed: true }], 1))).toEqual(["todos: pages has another 1"]);
  });

  it("finds accounts that were registered twice, and a batch that was registered in part", () => {
    const registrations = [...history.registrations, { usernames: ["ada"], outcome: "done" as const }];
    expect(checkHistory({ ...history, registrations }, state)).toEqual([
      "accounts: ada was registered 2 times",
    ]);
    const partial = [...history.registrations, { usernames: ["cid", "dan"], outcome: "unknown" as const }];
    const usernames = [...state.usernames, "cid"];
    expect(checkHistory({ ...history, registrations: partial }, { ...state, usernames })).toEqual([
      "accounts: a part of cid, dan is registered",
    ]);
  });
});

it("write units throttle a partition key beyond its own, and tell the dearest update", () => {
  const units = new WriteUnits();
  const call = (pk: string) => ({
    operation: "UpdateItem",
    invocation: "1",
    body: { TableName: "notes", Key: { pk: { S: pk } }, UpdateExpression: "ADD n :one" },
  });
  for (const CapacityUnits of [60, 60])
    units.count(call("0"), { ConsumedCapacity: { TableName: "notes", CapacityUnits } });
  expect([units.isThrottled(call("0")), units.isThrottled(call("1"))]).toEqual([true, false]);
  expect(units.largest).toEqual(new Map([["notes", 60]]));
});
