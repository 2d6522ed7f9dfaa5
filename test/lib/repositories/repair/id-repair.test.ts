import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { ApiError } from "../../../../lib/domain/errors.ts";
import { ItemsRepository } from "../../../../lib/repositories/items.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { blockKey, IdAllocation } from "../../../../lib/repositories/records/id-allocation.ts";
import { BLOCK_SIZE, tombstoneBit } from "../../../../lib/repositories/records/id-blocks.ts";
import { RecordRepository } from "../../../../lib/repositories/records/records.ts";
import { CREATIONS_END_AFTER_MS, repairIds } from "../../../../lib/repositories/repair/id-repair.ts";
import { engines, fill, recordTable, testClient } from "../../../support/database.ts";
import { injectFaults } from "../../../support/faults.ts";
import { stackTable } from "../../../support/stack-table.ts";

const Note = z.object({ id: z.int(), text: z.string() });
type Note = z.output<typeof Note>;

const noWait = async () => undefined;

describe.each(engines)("a recount on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  async function notes() {
    const name = await recordTable(endpoint);
    return {
      store: new RecordRepository<Note>(client, name, Note),
      ids: new IdAllocation(client, name),
      name,
    };
  }

  /** A recount with nothing to wait for, unless the test has something to do meanwhile. */
  async function recounted(name: string, wait: () => Promise<unknown> = noWait, isDryRun = false) {
    const [{ table: _, ...found } = {}] = await repairIds(client, [{ name }], { wait, isDryRun });
    return found;
  }

  /** A creation that stands still before its put, until it is told how to end. */
  async function creationUnderWay(name: string) {
    const slow = testClient(endpoint);
    const arrived = Promise.withResolvers<void>();
    const end = Promise.withResolvers<"put" | "throttled">();
    slow.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === "PutItemCommand") {
            arrived.resolve();
            if ((await end.promise) === "throttled")
              throw Object.assign(new Error(), { name: "ProvisionedThroughputExceededException" });
          }
          return next(args);
        },
      { name: "slow", step: "deserialize", priority: "high" },
    );
    const created = new RecordRepository<Note>(slow, name, Note)
      .create({ text: "slow" }, undefined)
      .catch((error) => error);
    await arrived.promise;
    return {
      succeeds: () => {
        end.resolve("put");
        return created;
      },
      fails: async () => {
        end.resolve("throttled");
        expect(await created).toBeInstanceOf(ApiError);
      },
    };
  }

  async function expectRight(name: string) {
    const store = new RecordRepository<Note>(client, name, Note);
    const live = await store.all();
    expect(await store.count()).toBe(live.length);
    expect((await store.page(0, live.length + 1)).records).toEqual(live);
  }

  it("has nothing to do in an empty table, and waits for nothing", async () => {
    const { name, ids } = await notes();
    const wait = () => Promise.reject(new Error("nobody is to be waited for"));

    expect(await recounted(name, wait)).toEqual({ last: 0, entered: 0, cleared: 0 });
    expect(await ids.read()).toEqual({ last: 0, gone: new Map() });
    expect(await ids.allocate()).toBe(1);
  });

  it("enters ids that were drawn and never used, once", async () => {
    const { store, ids, name } = await notes();
    await ids.allocate();
    await store.create({ text: "a" }, undefined);
    await ids.allocate();
    expect(await store.count()).toBe(3);

    expect(await recounted(name)).toEqual({ last: 3, entered: 2, cleared: 0 });
    expect(await store.page(0, 10)).toEqual({ records: [{ id: 2, text: "a" }], total: 1 });
    expect(await recounted(name)).toEqual({ last: 3, entered: 0, cleared: 0 });
    expect((await store.create({ text: "b" }, undefined)).record.id).toBe(4);
    await expectRight(name);
  });

  it("waits for the creations that are under way, by far longer than a function lives", async () => {
    const { store, name } = await notes();
    await store.create({ text: "a" }, undefined);
    const waited: number[] = [];
    const wait = async (milliseconds: number) => waited.push(milliseconds);
    await repairIds(client, [{ name }, { name: await recordTable(endpoint) }], { wait });

    expect(waited).toEqual([CREATIONS_END_AFTER_MS]);
    expect(CREATIONS_END_AFTER_MS).toBeGreaterThanOrEqual(3 * 20_000);
  });

  it("leaves an id alone that was drawn after it began", async () => {
    const { store, name } = await notes();
    await store.create({ text: "a" }, undefined);
    const begun = Promise.withResolvers<Awaited<ReturnType<typeof creationUnderWay>>>();

    expect(await recounted(name, async () => begun.resolve(await creationUnderWay(name)))).toEqual({
      last: 1,
      entered: 0,
      cleared: 0,
    });
    expect(await (await begun.promise).succeeds()).toEqual({ id: 2, text: "slow" });
    await expectRight(name);
  });

  it("enters the id of a creation that fails meanwhile once, and nobody gets it again", async () => {
    const { store, name } = await notes();
    const creation = await creationUnderWay(name);
    let next: Awaited<ReturnType<typeof creationUnderWay>> | undefined;
    await recounted(name, async () => {
      await creation.fails();
      next = await creationUnderWay(name);
    });

    expect(await next?.succeeds()).toEqual({ id: 2, text: "slow" });
    expect(await store.page(0, 10)).toEqual({ records: [{ id: 2, text: "slow" }], total: 1 });
  });

  it("keeps no later id from being given back", async () => {
    const { store, name } = await notes();
    await store.create({ text: "a" }, undefined);
    await recounted(name);
    await (await creationUnderWay(name)).fails();

    expect((await store.create({ text: "b" }, undefined)).record.id).toBe(2);
    await expectRight(name);
  });

  it("does not take a record for gone that somebody deletes at the same time", async () => {
    const { store, ids, name } = await notes();
    for (const text of ["a", "b", "c"]) await store.create({ text }, undefined);
    await ids.allocate();
    const recounting = testClient(endpoint);
    const operations: string[] = [];
    recounting.middlewareStack.add(
      (next, { commandName = "" }) =>
        async (args) => {
          operations.push(commandName);
          // Between the entry and the records, between the records and the entry's replacement, and then not.
          const turn = operations.filter((operation) => operation === commandName).length;
          if (commandName === "QueryCommand" && turn === 1) expect(await store.remove(1)).toBe(true);
          if (commandName === "TransactWriteItemsCommand" && turn === 2)
            expect(await store.remove(2)).toBe(true);
          return next(args);
        },
      { name: "deletions", step: "initialize", priority: "low" },
    );

    expect(await repairIds(recounting, [{ name }], { wait: noWait })).toMatchObject([{ entered: 1 }]);
    expect(operations.filter((operation) => operation === "TransactWriteItemsCommand")).toHaveLength(3);
    expect(await store.page(0, 10)).toEqual({ records: [{ id: 3, text: "c" }], total: 1 });
  });

  it("takes ids out whose record exists, and repairs words that were added to twice", async () => {
    const { store, name } = await notes();
    for (const text of ["a", "b", "c"]) await store.create({ text }, undefined);
    await store.remove(1);
    for (const id of [1, 3, 126]) {
      const { block, attribute, bit } = tombstoneBit(id);
      await client.send(
        new UpdateCommand({
          TableName: name,
          Key: blockKey(block),
          UpdateExpression: "ADD #word :bit",
          ExpressionAttributeNames: { "#word": attribute },
          ExpressionAttributeValues: { ":bit": bit },
        }),
      );
    }

    // 1 was added twice, which is 2; 126 lies beyond the last id, of which nothing is known.
    expect(await recounted(name)).toEqual({ last: 3, entered: 1, cleared: 2 });
    const { Item: entry } = await client.send(new GetCommand({ TableName: name, Key: blockKey(0) }));
    expect(entry).toMatchObject({ w0: 1, w1: 1 });
  });

  it("takes out the last bit of a word", async () => {
    const { store, name } = await notes();
    await store.create({ text: "a" }, undefined);
    await fill(client, name, [{ ...blockKey(0), w0: 1, mark: "an earlier one" }]);

    expect(await recounted(name)).toEqual({ last: 1, entered: 0, cleared: 1 });
    await expectRight(name);
  });

  it("goes through all blocks", async () => {
    const { name, store } = await notes();
    const last = 2 * BLOCK_SIZE + 3;
    const lost = new Set([1, 125, 126, BLOCK_SIZE, BLOCK_SIZE + 1, 2 * BLOCK_SIZE, last]);
    const live = Array.from({ length: last }, (_, i) => i + 1).filter((id) => !lost.has(id));
    await fill(client, name, [
      { pk: "books", sk: -1, last },
      ...live.map((id) => ({ pk: String(Math.floor((id - 1) / BLOCK_SIZE)), sk: id, text: "x" })),
    ]);

    expect(await recounted(name)).toEqual({ last, entered: lost.size, cleared: 0 });
    expect(await store.count()).toBe(live.length);
    const page = await store.page(990, 20);
    expect(page.records.map(({ id }) => id)).toEqual(live.slice(990, 1_010));
  });

  it("only tells what it would do in a dry run", async () => {
    const { ids, name } = await notes();
    await ids.allocate();
    await ids.allocate();
    const writes = testClient(endpoint);
    const attempted = injectFaults(writes, () => undefined);
    const options = { wait: noWait, isDryRun: true };

    expect(await repairIds(writes, [{ name }], options)).toMatchObject([{ last: 2, entered: 2 }]);
    expect(new Set(attempted)).toEqual(new Set(["Query", "GetItem"]));
    expect((await ids.read()).deleted).toEqual(new Map());
  });

  it("tells of each table when it is done", async () => {
    const tables = [await notes(), await notes()];
    for (const { ids } of tables) await ids.allocate();
    const heard: string[] = [];
    await repairIds(
      client,
      tables.map(({ name }) => ({ name })),
      { wait: noWait, onTable: ({ table, entered }) => heard.push(`${table.name} ${entered}`) },
    );

    expect(heard).toEqual(tables.map(({ name }) => `${name} 1`));
  });

  it("leaves right books after any history with crashes and concurrent creators", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant("create" as const) },
      fc.constant("crash" as const),
      fc.constant("under way" as const),
      fc.nat(20),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 15 }),
        fc.array(step, { maxLength: 10 }),
        fc.infiniteStream(fc.boolean()),
        async (before, meanwhile, outcomes) => {
          const { store, ids, name } = await notes();
          const take = async (steps: typeof before) => {
            const open: Awaited<ReturnType<typeof creationUnderWay>>[] = [];
            for (const each of steps) {
              if (each === "create") await store.create({ text: "x" }, undefined);
              else if (each === "crash") await ids.allocate();
              else if (each === "under way") open.push(await creationUnderWay(name));
              else await store.remove(each);
            }
            return open;
          };
          const finish = (open: Awaited<ReturnType<typeof take>>) =>
            Promise.all(
              open.map((creation) => (outcomes.next().value ? creation.succeeds() : creation.fails())),
            );

          const early = await take(before);
          let late: typeof early = [];
          await recounted(name, async () => {
            [late] = await Promise.all([take(meanwhile), finish(early)]);
          });
          await finish(late);
          // What crashed after the first recount began is the second one's.
          await recounted(name);
          await expectRight(name);
          expect(await recounted(name)).toMatchObject({ entered: 0, cleared: 0 });
        },
      ),
      { numRuns: 25 },
    );
  });

  it("is right when two go on at once", async () => {
    const { store, ids, name } = await notes();
    for (let i = 0; i < 5; i += 1) {
      await ids.allocate();
      await store.create({ text: "x" }, undefined);
    }
    await Promise.all([recounted(name), recounted(name), store.remove(2), store.remove(4)]);

    expect(await store.count()).toBe(3);
    await expectRight(name);
  });

  describe("when DynamoDB fails", () => {
    it.each(["conflict", "throttled", "timeout", "lost"] as const)(
      "mends once, and counts once, when first attempts are %s",
      async (fault) => {
        const { ids, name } = await notes();
        await ids.allocate();
        const unlucky = testClient(endpoint);
        injectFaults(unlucky, (_, attempt) => (attempt === 1 ? fault : undefined));

        expect(await repairIds(unlucky, [{ name }], { wait: noWait })).toMatchObject([
          { last: 1, entered: 1 },
        ]);
        await expectRight(name);
      },
    );

    it.each(["throttled", "timeout", "refused", "conflict"] as const)(
      "says so when everything is %s",
      async (fault) => {
        const { name } = await notes();
        const unlucky = testClient(endpoint);
        injectFaults(unlucky, () => fault);

        await expect(repairIds(unlucky, [{ name }], { wait: noWait })).rejects.toMatchObject({
          code: "ServiceUnavailable",
        });
      },
    );
  });

  it("reads items by the index of their names", async () => {
    const name = await stackTable(endpoint, "items");
    const items = new ItemsRepository(client, name);
    await items.create('{"a":1}', "", undefined);
    await new IdAllocation(client, name).allocate();
    await items.create('{"a":2}', "b", undefined);
    const found = await repairIds(client, [{ name, index: "names" }], { wait: noWait });

    expect(found).toMatchObject([{ last: 3, entered: 1, cleared: 0 }]);
    expect(await items.page(0, 10)).toEqual({
      records: [
        { id: 1, name: "" },
        { id: 3, name: "b" },
      ],
      total: 2,
    });
  });

  it("takes a post for one record", async () => {
    const name = await stackTable(endpoint, "posts");
    const posts = new PostsRepository(client, name, () => new Date(0));
    const fields = { title: "t", content: "c", status: "draft", tags: [] } as const;
    await posts.create(1, { ...fields, tags: [] }, undefined);
    await new IdAllocation(client, name).allocateWithTimestamp(new Date(0));

    expect(await recounted(name)).toEqual({ last: 2, entered: 1, cleared: 0 });
  });
});
