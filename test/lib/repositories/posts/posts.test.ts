import { describe, expect, it } from "vitest";
import type { Owner } from "../../../../lib/domain/ownership.ts";
import { updateOf } from "../../../../lib/dynamodb/expressions.ts";
import { getItem } from "../../../../lib/dynamodb/query.ts";
import { updateItem } from "../../../../lib/dynamodb/writes.ts";
import { COUNTER_KEY } from "../../../../lib/records/id-allocation.ts";
import { recordKey } from "../../../../lib/records/id-blocks.ts";
import { giveRecord, idsOfOwner } from "../../../../lib/records/owners.ts";
import type { PostFields } from "../../../../lib/repositories/posts/post-items.ts";
import { PostQueries } from "../../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import { MAX_TAGS } from "../../../../lib/validators/post.ts";
import { idempotencyContext } from "../../../support/data/idempotency.ts";
import { scanTable } from "../../../support/data/stored-items.ts";
import { engines, fill, testClient } from "../../../support/database/database.ts";
import { any } from "../../../support/database/fault-area.ts";
import { injectFaults } from "../../../support/database/faults.ts";
import { stackTable } from "../../../support/infra/stack-table.ts";
import { meter } from "../../../support/programs/usage.ts";
import { interruptedClient } from "../../interrupted.ts";

const fields: PostFields = { title: "t", content: "c", status: "draft", tags: [] };
const start = Date.UTC(2026, 0, 1);
const at = (seconds: number) => new Date(start + seconds * 1_000);

describe.each(engines)("posts on $name", ({ endpoint }) => {
  async function setUp() {
    const table = await stackTable(endpoint, "posts");
    const client = testClient(endpoint);
    const clock = { now: at(0) };
    const posts = new PostsRepository(client, table, () => clock.now);
    return { posts, lists: new PostQueries(testClient(endpoint), table), client, table, clock };
  }

  function interruptedBy(table: string, operation: string, work: () => Promise<unknown>, owner?: Owner) {
    return new PostsRepository(interruptedClient(endpoint, operation, work), table, () => at(0), owner);
  }

  it.each<[string, boolean, (posts: PostsRepository) => Promise<unknown>]>([
    ["deletion", true, (posts) => posts.remove(1)],
    ["change of the tags", false, (posts) => posts.update(1, { tags: ["x"] })],
  ])("refuses a %s of the former owner while it is given, with a revision: %s", async (_, isNew, act) => {
    const { posts, client, table } = await setUp();
    const ada = { username: "ada", seesAll: false };
    const post = await new PostsRepository(client, table, () => at(0), ada).create(1, fields, undefined);
    const update = { TableName: table, Key: recordKey(1), ...updateOf({ owner: "bob" }) };
    const give = () => (isNew ? giveRecord(client, table, 1, "bob") : updateItem(client, update));
    expect(await act(interruptedBy(table, "TransactWriteItems", give, ada))).toBeFalsy();
    expect(await posts.view(1)).toEqual({ ...post.record, view_count: 1 });
    if (isNew) expect(await idsOfOwner(client, table, "bob")).toEqual([1]);
  });

  it("updates the time of the last change, which never goes backwards", async () => {
    const { posts, clock } = await setUp();
    clock.now = at(5);
    await posts.create(1, fields, undefined);
    const times = [];
    for (const [second, change] of [
      [2, { title: "y" }],
      [3, { content: "z" }],
      [6, { content: "z" }],
      [4, {}],
    ] as const) {
      clock.now = at(second);
      times.push((await posts.update(1, change))?.updated_at);
    }

    expect(times).toEqual([5.001, 5.001, 6, 6.001].map((second) => at(second).toISOString()));
  });

  it("gets a new time if the stored one is none", async () => {
    const { posts, table, client } = await setUp();
    await posts.create(1, fields, undefined);
    await fill(client, table, [{ ...COUNTER_KEY, last: 1, allocatedAt: 5 }]);
    expect((await posts.create(1, fields, undefined)).record.created_at).toBe(at(0).toISOString());

    await fill(client, table, [{ ...(await getItem(client, table, recordKey(1))), updated_at: 5 }]);
    expect(await posts.update(1, { title: "x" })).toMatchObject({ updated_at: at(0).toISOString() });
  });

  it.each([
    ["without a precondition", undefined],
    ["with one", any],
  ])("leaves nothing of a post behind that was changed and deleted %s", async (_, precondition) => {
    const { posts, lists, table } = await setUp();
    for (let i = 0; i < 2; i += 1) await posts.create(1, { ...fields, tags: ["a"] }, undefined);
    await posts.update(1, { content: "x", tags: ["b"] }, precondition);

    expect(await posts.remove(1, { precondition })).toBe(true);
    const first = await lists.page({ sort_by: "created_at", order: "asc", page: 1, limit: 1 });
    expect(first.records.map(({ id }) => id)).toEqual([2]);
    await posts.remove(2);
    const left = await scanTable(endpoint, table);
    expect(left.map(({ pk }) => pk?.S).filter((pk) => !/^(ids|deleted#0)$/.test(String(pk)))).toEqual([]);
  });

  describe("by tag", () => {
    const idsOf = async ({ lists }: { lists: PostQueries }, ...tags: readonly string[]) => {
      const query = { sort_by: "created_at", order: "asc", limit: 10 } as const;
      const pages = await Promise.all(tags.map((tag) => lists.page({ ...query, tag })));
      return pages.map(({ records }) => records.map(({ id }) => id));
    };
    const many = (prefix: string) => Array.from({ length: MAX_TAGS }, (_, i) => `${prefix}${i}`);

    it("are found by the tags that they have now", async () => {
      const set = await setUp();
      const { posts } = set;
      for (const tags of [["a", "b", "a"], ["b", ""], ["a"]])
        await posts.create(1, { ...fields, tags }, undefined);
      expect(await idsOf(set, "a", "b", "")).toEqual([[1, 3], [1, 2], [2]]);

      await posts.update(1, { tags: ["c", "b"] });
      await posts.update(2, { tags: ["a"], content: "new" });
      await posts.update(3, { title: "new" });
      expect(await idsOf(set, "a", "b", "c")).toEqual([[2, 3], [1], [1]]);
      expect(await posts.update(2, { tags: ["d"] }, any)).toMatchObject({ tags: ["d"] });
      expect(await idsOf(set, "a", "d")).toEqual([[3], [2]]);
      await posts.remove(3);
      expect(await idsOf(set, "a")).toEqual([[]]);
    });

    it("are none for a tag that is too long for a key, which DynamoDB would refuse", async () => {
      const client = testClient(endpoint);
      const usage = meter(client);
      const lists = new PostQueries(client, (await setUp()).table);
      const page = (tag: string) => lists.page({ sort_by: "created_at", order: "asc", limit: 10, tag });
      const longest = "é".repeat(1_022);
      expect(await usage(() => page(longest))).toMatchObject({ calls: 1 });
      expect(await usage(() => page(`${longest}x`))).toMatchObject({ calls: 0 });
      expect(await page(`${longest}x`)).toEqual({ records: [], next: undefined });
    });

    it("can have and replace as many tags as a transaction holds", async () => {
      const set = await setUp();
      const { posts } = set;
      await posts.create(1, { ...fields, tags: many("a") }, idempotencyContext("k"));
      const changed = { tags: many("b"), content: "new" };
      expect(await posts.update(1, changed)).toMatchObject(changed);
      expect(await posts.update(1, { tags: many("c") })).toMatchObject({ ...changed, tags: many("c") });
      expect(await idsOf(set, "b7", "c7")).toEqual([[], [1]]);
      expect(await posts.remove(1)).toBe(true);
      expect(await idsOf(set, "c7")).toEqual([[]]);
    });
  });

  describe("with concurrent changes", () => {
    /** A post, and a process in which others do something before its first attempt at an operation. */
    async function withPost() {
      const { posts: others, table } = await setUp();
      await others.create(1, fields, undefined);
      const interrupted = (operation: string, work: () => Promise<unknown>) =>
        interruptedBy(table, operation, work);
      return { others, table, interrupted };
    }

    it("reads title and content of the same version, and counts one view", async () => {
      const { others, interrupted } = await withPost();
      // The content is read before the change, the view counted after it, and the other way round.
      for (const operation of ["GetItem", "UpdateItem"]) {
        const changes = { title: operation, content: operation };
        const reader = interrupted(operation, () => others.update(1, changes));
        expect(await reader.view(1)).toMatchObject(changes);
      }
      expect(await others.view(1)).toMatchObject({ view_count: 3 });
    });

    it.each<[string, (posts: PostsRepository) => Promise<unknown>]>([
      ["GetItem", (posts) => posts.view(1)],
      ["UpdateItem", (posts) => posts.view(1)],
      ["GetItem", (posts) => posts.update(1, { title: "x" })],
      ["GetItem", (posts) => posts.update(1, { content: "x" })],
    ])("finds no post that is deleted before %s (%#)", async (operation, call) => {
      const { others, interrupted } = await withPost();
      expect(await call(interrupted(operation, () => others.remove(1)))).toBeUndefined();
    });

    it("returns title and content of the same version after a change", async () => {
      const { others, interrupted } = await withPost();
      const later = { title: "later", content: "later" };
      const change = () => others.update(1, later);
      for (const operation of ["GetItem", "TransactWriteItems"]) {
        const changed = await interrupted(operation, change).update(1, { content: "x" });
        expect(changed).toMatchObject({ ...later, content: "x" });
      }
      const renamed = await interrupted("GetItem", change).update(1, { title: "x" });
      expect(renamed).toMatchObject({ content: "later" });
      // Whichever of the two was the last one decides the title.
      const title = expect.stringMatching(/^(x|later)$/);
      expect(await others.view(1)).toMatchObject({ title, content: "later" });
    });

    it.each<[string, (others: PostsRepository) => Promise<unknown>]>([
      ["title was changed", (others) => others.update(1, { title: "later" })],
      ["record was deleted", (others) => others.remove(1)],
    ])("refuses a write to a post whose %s since its precondition was checked", async (_, meanwhile) => {
      for (const write of [
        (writer: PostsRepository) => writer.update(1, { title: "x", content: "x" }, any),
        (writer: PostsRepository) => writer.remove(1, { precondition: any }),
      ]) {
        const { others, interrupted } = await withPost();
        const writer = interrupted("TransactWriteItems", () => meanwhile(others));
        await expect(write(writer)).rejects.toMatchObject({ code: "PreconditionFailed" });
      }
    });

    it("ignores views since a precondition was checked", async () => {
      const { others, interrupted } = await withPost();
      const editor = interrupted("TransactWriteItems", () => others.view(1));
      expect(await editor.update(1, { title: "x" }, any)).toMatchObject({ title: "x" });
      expect(await others.view(1)).toMatchObject({ title: "x", view_count: 2 });
      expect(await others.remove(1, { author: 2, precondition: () => expect.unreachable() })).toBe(false);
    });

    it.each([{}, { status: "draft" as const }])("lists parts of the same version: %j", async (query) => {
      const { others, table } = await withPost();
      const client = testClient(endpoint);
      let changes = 0;
      injectFaults(client, async () => {
        changes += 1;
        await others.update(1, { title: `${changes}`, content: `${changes}` });
        return undefined;
      });
      const lists = new PostQueries(client, table);
      const page = await lists.page({ sort_by: "created_at", order: "desc", limit: 10, ...query });
      const [post] = page.records;
      expect(post?.content).toBe(post?.title);
    });
  });
});
