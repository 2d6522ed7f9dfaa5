import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  ScanCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { itemSize, MAX_ITEM_BYTES } from "../../../../lib/repositories/dynamodb/item-size.ts";
import { ItemsRepository } from "../../../../lib/repositories/items.ts";
import { PostQueries } from "../../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { ProductsRepository } from "../../../../lib/repositories/products.ts";
import { MAX_HEAD_BYTES } from "../../../../lib/repositories/records/bodies.ts";
import { type RecordOf, RecordRepository } from "../../../../lib/repositories/records/record-repository.ts";
import { TodosRepository } from "../../../../lib/repositories/todos.ts";
import { UsersRepository } from "../../../../lib/repositories/users.ts";
import { MAX_PRODUCTS } from "../../../../lib/validators/order.ts";
import { MAX_TAGS } from "../../../../lib/validators/post.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { openShop } from "../../../support/data/shop.ts";
import { engines, onDefaultEngine, recordTable, testClient } from "../../../support/database/database.ts";
import { injectFaults } from "../../../support/database/faults.ts";
import { scaled } from "../../../support/effort.ts";
import { stackTable } from "../../../support/infra/stack-table.ts";
import { meter } from "../../../support/programs/usage.ts";

const StoredNote = z.object({ text: z.string(), label: z.string(), stars: z.int() });
type Note = RecordOf<typeof StoredNote>;
const bodyFields = { large: ["text", "label"] };

/** Each character has four bytes. */
const long = (characters: number) => "💡".repeat(characters);

describe.each(engines)("large records on $name", ({ endpoint }) => {
  async function notes() {
    const table = await recordTable(endpoint);
    const withClient = (client = testClient(endpoint)) =>
      new RecordRepository<Note>(client, table, StoredNote, bodyFields);
    const items = async () => {
      const { Items = [] } = await testClient(endpoint).send(
        new ScanCommand({ TableName: table, ConsistentRead: true }),
      );
      return Items;
    };
    return { store: withClient(), withClient, items };
  }

  /** A client that runs some work before its nth call of an operation. */
  function interrupted(operation: string, nth: number, work: () => Promise<unknown>) {
    const client = testClient(endpoint);
    injectFaults(client, async (called, attempt) => {
      if (called === operation && attempt === nth) await work();
      return undefined;
    });
    return client;
  }

  it("are what was written, after any history, in two items of the right size each", async () => {
    const text = fc.constantFrom("", "a", "x".repeat(600), "x".repeat(1_200), "x".repeat(70_000));
    const fields = { text, label: text, stars: fc.nat(5) };
    const step = fc.oneof(
      fc.record({ create: fc.record(fields) }),
      fc.record({ id: fc.integer({ min: 1, max: 6 }), changes: fc.record(fields, { requiredKeys: [] }) }),
      fc.record({ remove: fc.integer({ min: 1, max: 6 }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.boolean(),
        async (steps, isConditional) => {
          const { store, items } = await notes();
          const precondition = isConditional ? () => undefined : undefined;
          const model = new Map<number, Note>();
          for (const each of steps) {
            if ("create" in each) {
              const { record } = await store.create(each.create, undefined);
              expect(record).toEqual({ id: record.id, ...each.create });
              model.set(record.id, record);
            } else if ("remove" in each) {
              expect(await store.remove(each.remove, precondition)).toBe(model.delete(each.remove));
            } else {
              const before = model.get(each.id);
              const changed = before && { ...before, ...each.changes };
              expect(await store.update(each.id, each.changes, precondition)).toEqual(changed);
              if (changed) model.set(each.id, changed);
            }
          }

          const all = [...model.values()].sort((a, b) => a.id - b.id);
          expect((await store.list()).records).toEqual(all);
          expect(await store.page(0, 100)).toEqual({ records: all, total: all.length });
          expect(await store.getMany(model.keys())).toEqual(model);
          const visited: object[] = [];
          await store.forEach(["label"], (note) => visited.push(note));
          await store.forEach(["stars"], (note) => visited.push(note));
          expect(visited).toEqual([
            ...all.map(({ id, label }) => ({ id, label })),
            ...all.map(({ id, stars }) => ({ id, stars })),
          ]);

          const stored = await items();
          const heads = stored.filter(({ pk }) => pk === "0");
          const bodies = stored.filter(({ pk }) => String(pk).startsWith("body#"));
          expect(heads.map(({ sk }) => sk)).toEqual(all.map(({ id }) => id));
          expect(bodies.map(({ sk }) => sk).sort()).toEqual(
            heads.filter(({ body }) => body !== undefined).map(({ sk }) => sk),
          );
          // Updates of small fields may add 1 KB to a record without a body.
          for (const head of heads) expect(itemSize(head)).toBeLessThanOrEqual(3 * MAX_HEAD_BYTES);
        },
      ),
      { numRuns: scaled(25) },
    );
  });

  it("are read as they were before or after a change, never half of each", async () => {
    const { store, withClient } = await notes();
    const before = { text: "a".repeat(2_000), label: "before", stars: 1 };
    const after = { text: "b".repeat(3_000), label: "after", stars: 2 };
    for (const change of [
      () => store.update(1, after),
      () => store.update(1, { ...before, text: "small" }),
      () => store.update(1, after),
    ])
      for (const read of [
        (reader: typeof store) => reader.get(1),
        async (reader: typeof store) => {
          let found: object | undefined;
          await reader.forEach(["text", "label", "stars"], (note) => {
            found = note;
          });
          return found;
        },
      ]) {
        if (!(await store.update(1, before))) await store.create(before, undefined);
        const found = await read(withClient(interrupted("BatchGetItem", 1, change)));
        expect([before, after, { ...before, text: "small" }]).toContainEqual({ ...found, id: undefined });
        expect(found).toEqual(await store.get(1));
      }
    const reader = withClient(interrupted("BatchGetItem", 1, () => store.remove(1)));
    expect(await reader.get(1)).toBeUndefined();
    expect((await store.list()).records).toEqual([]);
  });

  describe("of which a backup has kept an older part", () => {
    async function torn(change: (client: DynamoDBDocumentClient, table: string) => Promise<unknown>) {
      const table = await recordTable(endpoint);
      const client = testClient(endpoint);
      const store = new RecordRepository<Note>(client, table, StoredNote, bodyFields);
      for (const label of ["other", "large"])
        await store.create({ text: "a".repeat(2_000), label, stars: 1 }, undefined);
      await change(client, table);
      return store;
    }

    it("are joined as they are", async () => {
      const older = { pk: "body#2", sk: 2, body: "older", text: "older" };
      const store = await torn((client, table) =>
        client.send(new PutCommand({ TableName: table, Item: older })),
      );
      const joined = { id: 2, text: "older", label: "large", stars: 1 };

      expect(await store.get(2)).toEqual(joined);
      expect((await store.list()).records).toEqual([await store.get(1), joined]);
      expect(await store.update(2, { text: "b".repeat(2_000) })).toMatchObject({ label: "large" });
      expect(await store.get(2)).toMatchObject({ text: "b".repeat(2_000) });
    });

    it("do not exist without their body, and can be deleted", async () => {
      const store = await torn((client, table) =>
        client.send(new DeleteCommand({ TableName: table, Key: { pk: "body#2", sk: 2 } })),
      );

      expect(await store.get(2)).toBeUndefined();
      expect((await store.list()).records).toEqual([await store.get(1)]);
      expect(await store.update(2, { text: "b".repeat(2_000) })).toBeUndefined();
      expect(await store.remove(2)).toBe(true);
      expect(await store.page(0, 10)).toEqual({ records: [await store.get(1)], total: 1 });
    });

    it("are posts with the content that is there", async () => {
      const table = await stackTable(endpoint, "posts");
      const client = testClient(endpoint);
      const posts = new PostsRepository(client, table, () => new Date(0));
      const fields = { title: "t", content: "a".repeat(2_000), status: "draft", tags: [] } as const;
      await posts.create(1, { ...fields, tags: [] }, undefined);
      const older = { pk: "body#1", sk: 1, body: "older", content: "older" };
      await client.send(new PutCommand({ TableName: table, Item: older }));

      expect(await posts.view(1)).toMatchObject({ content: "older" });
      expect((await new PostQueries(client, table).listByAuthor(1)).records).toMatchObject([
        { content: "older" },
      ]);
    });
  });

  it("keep both of two concurrent changes of different fields", async () => {
    const { store, withClient } = await notes();
    await store.create({ text: "a".repeat(2_000), label: "", stars: 1 }, undefined);
    const other = withClient(
      interrupted("TransactWriteItems", 1, () => store.update(1, { label: "b".repeat(2_000) })),
    );

    await other.update(1, { text: "c".repeat(3_000) });
    expect(await store.get(1)).toEqual({
      id: 1,
      text: "c".repeat(3_000),
      label: "b".repeat(2_000),
      stars: 1,
    });
  });

  it.each(onDefaultEngine(["conflict", "throttled", "timeout", "lost", "refused"]))(
    "are written, changed and deleted once if first attempts are %s",
    async (fault) => {
      const { withClient, store, items } = await notes();
      const unlucky = () => {
        const client = testClient(endpoint);
        injectFaults(client, (_, attempt) => (attempt === 1 ? fault : undefined));
        return withClient(client);
      };
      const note = { text: "a".repeat(2_000), label: "", stars: 1 };
      expect((await unlucky().create(note, undefined)).record.id).toBe(1);
      expect(await unlucky().update(1, { text: "b".repeat(2_000) })).toMatchObject({ stars: 1 });
      expect(await store.get(1)).toEqual({ ...note, id: 1, text: "b".repeat(2_000) });
      expect(await unlucky().remove(1)).toBe(true);
      expect(await store.count()).toBe(0);
      expect((await items()).filter(({ pk }) => !/^(ids|deleted#0)$/.test(String(pk)))).toEqual([]);
    },
  );

  it("cost one call more to read and to delete, and nothing more to list if they are small", async () => {
    const table = await recordTable(endpoint);
    const client = testClient(endpoint);
    const store = new RecordRepository<Note>(client, table, StoredNote, bodyFields);
    const usage = meter(client);
    const note = { text: "a".repeat(100_000), label: "", stars: 1 };

    // The counter; then head and body, in a transaction.
    const creation = await usage(() => store.create(note, undefined));
    expect(creation).toEqual({ calls: 2, inSequence: 2, units: 1 + 2 + 2 * 98 });
    expect(await usage(() => store.get(1))).toEqual({ calls: 2, inSequence: 2, units: 1 + 25 });
    expect(await usage(() => store.update(1, { stars: 2 }))).toEqual({
      calls: 2,
      inSequence: 2,
      units: 1 + 25,
    });
    // The condition that there is no body fails at first. The engines differ in what they charge for that.
    expect(await usage(() => store.remove(1))).toMatchObject({ calls: 2 });
  });

  it("can have 400 KB in any one field, and get an error beyond", async () => {
    const store = new TodosRepository(testClient(endpoint), await recordTable(endpoint));
    const fits = (bytes: number) =>
      store.create({ title: "x".repeat(bytes), completed: false }, undefined).then(
        () => true,
        ({ code }) => code,
      );
    expect(await fits(MAX_ITEM_BYTES - 100)).toBe(true);
    for (let bytes = MAX_ITEM_BYTES - 90; bytes <= MAX_ITEM_BYTES; bytes += 9)
      expect([true, "ValidationError"]).toContain(await fits(bytes));
    expect(await fits(MAX_ITEM_BYTES)).toBe("ValidationError");
    expect(await store.update(1, { title: "small" })).toEqual({ id: 1, title: "small", completed: false });
  });

  describe("of every area", () => {
    const idempotency = idempotencyContext("k");
    const now = () => new Date(0);
    type Create = (client: ReturnType<typeof testClient>, table: string) => Promise<unknown>;
    const creations: Readonly<Record<string, Create>> = {
      todos: (client, table) =>
        new TodosRepository(client, table).create({ title: long(90_000), completed: false }, idempotency),
      users: (client, table) =>
        new UsersRepository(client, table).create(
          { name: long(200), email: `${long(319)}@`, age: Number.MAX_SAFE_INTEGER },
          idempotency,
        ),
      products: (client, table) =>
        new ProductsRepository(client, table).create(
          { name: long(200), category: long(100), description: long(5_000), price: 1e-9, stock: 1e12 },
          idempotency,
        ),
      items: (client, table) =>
        new ItemsRepository(client, table).create("x".repeat(200_000), long(20_000), idempotency),
      posts: (client, table) =>
        new PostsRepository(client, table, now).create(
          1,
          { title: "x".repeat(200), content: long(90_000), status: "published", tags: ["a", "b", "c"] },
          idempotency,
        ),
      "posts with the longest title and tags": (client, table) => {
        const tags = Array.from({ length: MAX_TAGS }, (_, i) => `${i + 10}${"😀".repeat(48)}`);
        const fields = { title: "😀".repeat(200), content: "c", status: "published" } as const;
        const posts = new PostsRepository(client, table, now);
        return posts.create(Number.MIN_SAFE_INTEGER, { ...fields, tags }, idempotency);
      },
      "posts with the longest title and few tags": (client, table) => {
        const title = "😀".repeat(200);
        const fields = { title, content: long(2_000), status: "published" } as const;
        return new PostsRepository(client, table, now).create(1, { ...fields, tags: ["a"] }, idempotency);
      },
    };

    /** Partition key → the write units of the records' own items. */
    function recordWrites(client: ReturnType<typeof testClient>): Map<string, number> {
      const units = new Map<string, number>();
      client.middlewareStack.add(
        (next, { commandName }) =>
          (args) => {
            const input = args.input as TransactWriteCommandInput & { Item?: Record<string, unknown> };
            const puts = (input.TransactItems ?? []).flatMap(({ Put }) => (Put?.Item ? [Put.Item] : []));
            for (const item of input.Item ? [input.Item] : puts) {
              const factor = commandName?.startsWith("TransactWrite") ? 2 : 1;
              const written = factor * Math.ceil(itemSize(item) / 1_024);
              units.set(String(item.pk), (units.get(String(item.pk)) ?? 0) + written);
            }
            return next(args);
          },
        { name: "writes", step: "initialize", priority: "high" },
      );
      return units;
    }

    it.each(Object.entries(creations))(
      "%s: at most 2 units to a partition key of other creations",
      async (_, create) => {
        const client = testClient(endpoint);
        const units = recordWrites(client);
        await create(client, await recordTable(endpoint));

        expect([...units.keys()]).toContain("0");
        expect([...units.keys()]).toContain("body#1");
        for (const [partition, written] of units)
          if (!/^(body#1|key#.*)$/.test(partition))
            expect({ partition, written }).toEqual({ partition, written: 2 });
      },
    );

    it("orders of many products: at most 2 units to the key of other reservations", async () => {
      const shop = await openShop(endpoint);
      const cart = [];
      for (let i = 0; i < MAX_PRODUCTS; i += 1) {
        const { id } = await shop.offer({ stock: 1_000_000_000_000 });
        cart.push({ product_id: id, quantity: 999_999_999_999 });
      }
      const client = testClient(endpoint);
      const units = recordWrites(client);
      await shop.placementWith(client).place(Number.MIN_SAFE_INTEGER, cart, idempotency);

      const reserved = [...units].filter(([partition]) => partition.startsWith("reserved-"));
      expect(reserved.map(([, written]) => written)).toEqual([2]);
      expect(units.get("0")).toBe(2);
    });

    it("orders: at most 2 units to the partition key of other orders and to an index", async () => {
      const shop = await openShop(endpoint);
      const { id } = await shop.offer({ stock: 10_000 });
      const client = testClient(endpoint);
      const units = recordWrites(client);
      const cart = Array.from({ length: 5_000 }, () => ({ product_id: id, quantity: 1 }));
      const { record } = await shop.placementWith(client).place(7, cart, idempotency);

      expect(units.get("0")).toBe(2);
      expect(units.get("body#1")).toBeGreaterThan(100);
      expect(await shop.orders.get(1)).toEqual(record);
      await shop.orders.changeStatus(1, "paid");
      for (const filters of [{ user_id: 7 }, { status: "paid" as const }, {}])
        expect((await shop.orders.list(filters)).records).toEqual([await shop.orders.get(1)]);
    });
  });
});
