import { describe, expect, it } from "vitest";
import { checkHistory } from "./check.ts";
import type {
  Change,
  Creation,
  Deletion,
  Erasure,
  Fields,
  FinalState,
  History,
  Operation,
  Outcome,
  Read,
  RecordArea,
  StoredRecord,
} from "./history.ts";
import { WriteUnits } from "./write-units.ts";

const todo = { id: 1, title: "name_1", completed: false };
const product = { id: 1, name: "name_2", description: "", price: 2.5, stock: 7, category: "kitchen" };
const order = { id: 1, user_id: 3, items: [{ product_id: 1, quantity: 3 }], total: 7.5, status: "paid" };
const post = { id: 1, title: "name_4", content: "A", status: "draft", tags: [], author_id: 1, view_count: 1 };
const user = { id: 1, name: "a", email: "a@b.c" };

const operation = <Kind extends string>(kind: Kind, area: RecordArea, start: number) => ({
  ...{ kind, area, start, end: start + 1 },
  outcome: "done" as Outcome,
});
const creationOf = (
  area: RecordArea,
  record: StoredRecord,
  start: number,
  fields = {},
  more: Partial<Creation> = {},
): Creation => {
  const { id: _, total: __, view_count: ___, ...given } = record;
  const created = { fields: { ...given, ...fields }, record: { ...record, ...fields } };
  return { ...operation("creation", area, start), group: `${area} ${record.id}`, ...created, ...more };
};
const lost = ({ record: _, ...creation }: Creation, outcome: Outcome): Creation => ({ ...creation, outcome });
const change = (area: RecordArea, fields: Fields, start: number, more: Partial<Change> = {}): Change => ({
  ...{ ...operation("change", area, start), id: 1, fields },
  ...more,
});
const deletion = (id: number, start: number, outcome: Outcome = "done"): Deletion => ({
  ...{ ...operation("deletion", "todos", start), id, outcome },
});
const read = (area: RecordArea, start: number, record?: StoredRecord): Read => ({
  ...{ ...operation("read", area, start), id: record?.id ?? 1, outcome: record ? "done" : "refused" },
  ...(record && { record }),
});

const set = (stock: number, start: number, more?: Partial<Change>) =>
  change("products", { stock }, start, more);
const give = (owner: string, start: number, more?: Partial<Change>) =>
  change("todos", { owner }, start, more);

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
  erasures: [],
  shopProducts: [1],
  lostIds: {},
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
  repairedIds: {},
  owners: { todos: [{ id: 1 }] },
  ownerEntries: {},
  leftOver: [],
};

const check = (
  more: readonly Operation[],
  changed: Partial<FinalState> = {},
  others: Partial<History> = {},
) => checkHistory({ ...history, ...others, operations: [...operations, ...more] }, { ...state, ...changed });

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
    const unknown = change("todos", { title: "name_7" }, 200, { outcome: "unknown" });
    expect(check([unknown])).toEqual([]);
    expect(check([unknown], withListing("todos", { ...todo, title: "name_7" }))).toEqual([]);
  });

  it("accepts that a change was read although its record was deleted before it was refused", () => {
    const record = { id: 2, title: "name_9", completed: true };
    const refused = {
      ...change("todos", { completed: true }, 35),
      id: 2,
      end: 42,
      outcome: "refused" as const,
    };
    expect(check([refused, read("todos", 37, record)])).toEqual([]);
    expect(check([{ ...refused, end: 39 }, read("todos", 37, record)])).toEqual([
      "todos: 2 was read with the completed true, which is old or was never written",
    ]);
  });

  const lostTodo = lost(creationOf("todos", { id: 3, title: "n_8", completed: false }, 200), "unknown");
  const name8 = (id: number) => ({ id, title: "name_8", completed: false });

  it("accepts an id without a record for a creation that failed", () => {
    const later = creationOf("todos", { id: 4, title: "name_6", completed: false }, 210);
    const records = [todo, { id: 4, title: "name_6", completed: false }];
    expect(check([lostTodo, later], withListing("todos", ...records))).toEqual([]);
    expect(check([later], withListing("todos", ...records))).toEqual([
      "todos: 1 ids are unused, but only 0 creations failed and 0 ids were lost",
    ]);
    expect(check([later], withListing("todos", ...records), { lostIds: { todos: 1 } })).toEqual([]);
  });

  const secondOrder = (id = 2) => ({ ...order, id, user_id: 4 });
  const lostOrder = (outcome: Outcome) => lost(creationOf("orders", secondOrder(), 200), outcome);

  it("accepts an order that was made after its request had failed, and none that was refused or is there twice", () => {
    const deducted = { products: [{ name: "list", records: [{ ...product, stock: 4 }] }] };
    const withOrders = (...records: StoredRecord[]) => ({
      listings: { ...state.listings, ...deducted, orders: [{ name: "list", records }] },
    });
    expect(check([lostOrder("unknown")])).toEqual([]);
    expect(check([lostOrder("unknown")], withOrders(order, secondOrder()))).toEqual([]);
    expect(check([lostOrder("refused")], withOrders(order, secondOrder()))).toContainEqual(
      "orders: 2 was created by no request, or twice by one",
    );
    expect(check([lostOrder("unknown")], withOrders(order, secondOrder(), secondOrder(3)))).toContainEqual(
      "orders: 3 was created by no request, or twice by one",
    );
  });

  it("accepts a stock that was set, less what was ordered since, or may have been", () => {
    const withStock = (stock: number) => withListing("products", { ...product, stock });
    const noStock = (stock: number) =>
      `products: 1 had a stock of ${stock}, which is not what was set less what was ordered`;
    // The order was acknowledged at 61.
    expect(check([set(20, 65), { ...read("products", 67), outcome: "unknown" }], withStock(20))).toEqual([]);
    expect(check([set(20, 65)], withStock(17))).toEqual([noStock(17)]);
    expect(check([set(20, 55)], withStock(17))).toEqual([]);
    expect(check([set(20, 55)], withStock(20))).toEqual([noStock(20)]);
    for (const stock of [17, 20]) {
      expect(check([set(20, 55, { end: 65 })], withStock(stock))).toEqual([]);
      expect(check([set(20, 55, { outcome: "unknown" })], withStock(stock))).toEqual([]);
    }
    expect(check([set(20, 65), read("products", 68, product)], withStock(20))).toEqual([noStock(7)]);
    expect(check([set(20, 55), set(-1, 65)], withStock(-1))).toEqual([noStock(-1)]);
  });

  it("finds a stock that was set by somebody who had missed an order", () => {
    const missed = "products: 1 was set by somebody who had missed an order or a change";
    const basedOn = (start: number, stock: number) => ({ basedOn: { start, end: start + 1, stock } });
    const stock = withListing("products", { ...product, stock: 20 });
    expect(check([set(20, 65, basedOn(55, 10))], stock)).toEqual([missed]);
    expect(check([set(20, 65, basedOn(62, 7))], stock)).toEqual([]);
    expect(check([set(5, 63), set(20, 66, basedOn(61, 7))], stock)).toEqual([missed]);
    expect(check([set(7, 63), set(20, 66, basedOn(61, 7))], stock)).toEqual([]);
  });

  const withPages = (records: readonly StoredRecord[], total = records.length) => ({
    listings: { ...state.listings, todos: [...state.listings.todos, { name: "pages", records, total }] },
  });
  const withRegistration = (outcome: Outcome, ...usernames: string[]) => ({
    registrations: [...history.registrations, { usernames, outcome }],
  });

  it.each<[string, readonly Operation[], Partial<FinalState>?, Partial<History>?]>([
    ["1 was created and is lost", [], withListing("todos")],
    ["id 1 was given to todos 1 and to b", [creationOf("todos", todo, 200, { title: "x" }, { group: "b" })]],
    ["3 was created by no request", [], withListing("todos", todo, name8(3))],
    ["4 was created by no request, or twice", [lostTodo], withListing("todos", todo, name8(3), name8(4))],
    ["todos 1 got different responses", [creationOf("todos", todo, 200, { title: "name_3" })]],
    [
      "instead of",
      [creationOf("users", user, 200, {}, { fields: { name: "b" } })],
      withListing("users", user),
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
    ["1 had a stock of 8, which", [], withListing("products", { ...product, stock: 8 })],
    ["1 has the total 7.51", [], withListing("orders", { ...order, total: 7.51 })],
    ["total 7.5, for which", [change("products", { price: 3 }, 55), change("products", { price: 2.5 }, 65)]],
    [
      "1 was changed after it was cancelled",
      [change("orders", { status: "cancelled" }, 200), change("orders", { status: "paid" }, 210)],
    ],
    ["the statistics are", [], { postStatistics: { ...state.postStatistics, total_posts: 2 } }],
    ["1 has 1 views after 3 of 3 reads", [read("posts", 200, post), read("posts", 210, post)]],
    ["only 1 of ada, bob are registered", [], { usernames: ["ada", "admin"] }],
    ["ada cannot log in", [], { failedLogins: ["ada"] }],
    ["1 belongs to ada, who", [], { owners: { todos: [{ id: 1, owner: "ada" }] } }],
    ["1 belongs to undefined, who", [give("ada", 200)]],
    ["is listed with nobody", [give("ada", 200)], { owners: { todos: [{ id: 1, owner: "ada" }] } }],
    ["is listed with bob", [], { ownerEntries: { todos: [{ id: 1, owner: "bob" }] } }],
    ["a content is left", [], { leftOver: ["a content is left"] }],
    ["pages has 1 records and says 2", [], withPages([todo], 2)],
    ["pages lacks 1", [], withPages([])],
    ["pages has a record twice", [], withPages([todo, todo])],
    ["pages has another 1", [], withPages([{ ...todo, completed: true }])],
    ["ada was registered 2 times", [], {}, withRegistration("done", "ada")],
    [
      "a part of cid, dan is",
      [],
      { usernames: ["ada", "bob", "cid"] },
      withRegistration("unknown", "cid", "dan"),
    ],
  ])("finds that %s", (violation, more, changed, others) => {
    expect(check(more, changed, others)).toContainEqual(expect.stringContaining(violation));
  });

  it("finds what is left of a person who was erased", () => {
    const erasure = { username: "ada", email: user.email, users: [9], outcome: "done" as const };
    const erasures: Erasure[] = [{ ...erasure, start: 210, end: 220 }];
    const erased = { ...state, usernames: ["admin", "bob"], failedLogins: ["ada"] };
    const owned = {
      owners: { todos: [{ id: 1, owner: "ada" }] },
      ownerEntries: { todos: [{ id: 1, owner: "ada" }] },
    };
    const left = "todos: 1 is left of ada, who was erased";
    expect(check([], erased, { erasures })).toEqual([]);
    expect(check([give("ada", 200)], { ...erased, ...owned }, { erasures })).toEqual([left, left]);
    expect(check([give("ada", 200, { end: 215 })], { ...erased, ...owned }, { erasures })).toEqual([]);
    expect(check([{ ...deletion(1, 200), isErasure: true }], erased, { erasures })).toEqual([
      "todos: 1 was deleted and is there",
    ]);
    expect(check([{ ...deletion(2, 210), isErasure: true }], erased, { erasures })).toEqual([]);
    const withUser = { ...erased, ...withListing("users", user) };
    expect(check([creationOf("users", user, 200)], withUser, { erasures })).toEqual([
      "users: 1 is left of ada, who was erased",
    ]);
    expect(check([creationOf("users", user, 215)], withUser, { erasures })).toEqual([]);
    const authors = [{ ...erasure, users: [1], start: 210, end: 220 }];
    expect(check([], erased, { erasures: authors })).toEqual(["posts: 1 is left of ada, who was erased"]);
    expect(check([], state, { erasures })).toEqual(["accounts: ada was erased and is there"]);
  });
});

it("write units throttle a partition key beyond its own", () => {
  const units = new WriteUnits();
  const call = (pk: string) => ({
    operation: "UpdateItem",
    invocation: "1",
    body: { TableName: "notes", Key: { pk: { S: pk } }, UpdateExpression: "ADD n :one" },
  });
  for (const CapacityUnits of [60, 60])
    units.count(call("0"), { ConsumedCapacity: { TableName: "notes", CapacityUnits } });
  expect([units.isThrottled(call("0")), units.isThrottled(call("1"))]).toEqual([true, false]);
});
