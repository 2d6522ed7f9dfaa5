import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { stored } from "../../../functions/posts/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { repairIds } from "../../../lib/records/id-repair.ts";
import { contentKey, type PostFields } from "../../../lib/repositories/posts/post-items.ts";
import { PostQueries } from "../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../lib/repositories/posts/posts.ts";
import { engines, fill, testClient } from "../../support/database/database.ts";
import { injectFaults } from "../../support/database/faults.ts";
import { stackTable } from "../../support/infra/stack-table.ts";

const fields: PostFields = { title: "t", content: "c", status: "draft", tags: ["a", "b"] };

describe.each(engines)("the repair of posts on $name", ({ endpoint }) => {
  const client = testClient(endpoint);

  /** Four posts with the tags a and b, except that the last one has only a. */
  async function posts() {
    const name = await stackTable(endpoint, "posts");
    const store = new PostsRepository(client, name, () => new Date(0));
    for (let i = 0; i < 3; i += 1) await store.create(1, fields, undefined);
    await store.create(1, { ...fields, tags: ["a"] }, undefined);
    const tagged = async (tag: string) => {
      const query = { tag, sort_by: "created_at", order: "asc", limit: 10 } as const;
      return (await new PostQueries(client, name).page(query)).records.map(({ id }) => id);
    };
    return { name, store, tagged };
  }

  const remove = (TableName: string, Key: Record<string, unknown>) =>
    client.send(new DeleteCommand({ TableName, Key }));

  async function repaired(
    { name }: { name: string },
    { isDryRun = false, by = client, wait = async (): Promise<unknown> => undefined } = {},
  ) {
    const [found] = await repairIds(by, [{ name, stored }], { wait, isDryRun });
    const { unmarked, entries, damaged } = found ?? expect.unreachable();
    return { unmarked, entries, damaged };
  }

  const nothing = { unmarked: 0, entries: 0, damaged: [] };

  it("finds nothing wrong with healthy posts, and writes nothing", async () => {
    const operations = injectFaults(client, () => undefined);
    const table = await posts();
    operations.length = 0;
    expect(await repaired(table)).toEqual(nothing);
    expect(operations.filter((operation) => operation.startsWith("Transact"))).toEqual([]);
  });

  it.each([false, true])("ignores posts that are created while it waits (dry run: %s)", async (isDryRun) => {
    const table = await posts();
    const wait = async () => {
      for (let i = 0; i < 10; i += 1) await table.store.create(1, fields, undefined);
      await fill(client, table.name, [{ ...recordKey(20), tags: "unreadable" }]);
    };

    expect(await repaired(table, { isDryRun, wait })).toEqual(nothing);
    expect(await table.tagged("b")).toHaveLength(10);
  });

  it("adds missing tag entries and deletes those that no post has", async () => {
    const table = await posts();
    await remove(table.name, { pk: "tag#b", sk: 2 });
    await remove(table.name, recordKey(3));
    await fill(client, table.name, [{ pk: "tag#b", sk: 4 }]);
    const damaged = ["The stored record 3 is damaged: only its content exists"];
    // Of post 3, whose summary is gone, both entries.
    const found = { unmarked: 1, entries: 4, damaged };

    expect(await table.tagged("b")).toEqual([1]);
    expect(await repaired(table, { isDryRun: true })).toEqual(found);
    expect(await table.tagged("b")).toEqual([1]);
    expect(await repaired(table)).toEqual(found);
    expect(await table.tagged("b")).toEqual([1, 2]);
    expect(await repaired(table)).toEqual({ ...nothing, damaged });
  });

  it("leaves tag entries to a change at the same time", async () => {
    const table = await posts();
    for (const sk of [1, 2]) await remove(table.name, { pk: "tag#b", sk });
    const repairing = testClient(endpoint);
    injectFaults(repairing, async (operation, attempt) => {
      if (operation !== "TransactWriteItems" || attempt !== 1) return undefined;
      await table.store.update(1, { tags: [] });
      await table.store.remove(2);
      return undefined;
    });

    expect(await repaired(table, { by: repairing })).toEqual(nothing);
    expect(await table.tagged("b")).toEqual([3]);
    expect(await repaired(table)).toEqual(nothing);
  });

  it.each([false, true])("names damaged posts, and keeps their entries (dry run: %s)", async (isDryRun) => {
    const table = await posts();
    await remove(table.name, contentKey(1));
    await fill(client, table.name, [{ ...recordKey(2), author_id: 1, tags: "a" }]);

    const { damaged, ...others } = await repaired(table, { isDryRun });
    expect(others).toEqual({ unmarked: 0, entries: 0 });
    expect(damaged).toEqual([
      expect.stringMatching(/^The stored record 2 is damaged: title, status, tags, created_at/),
      "The stored record 1 is damaged: content",
    ]);
  });

  it("does not name a post that is deleted at the same time", async () => {
    const table = await posts();
    const repairing = testClient(endpoint);
    injectFaults(repairing, async (operation) => {
      if (operation === "BatchGetItem") await table.store.remove(1);
      return undefined;
    });

    expect((await repaired(table, { by: repairing })).damaged).toEqual([]);
  });
});
