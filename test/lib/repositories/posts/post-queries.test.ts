import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ReadBudget, ReadBudgetExceeded } from "../../../../lib/domain/read-budget.ts";
import { COUNTER_KEY } from "../../../../lib/records/id-allocation.ts";
import type { CursorPage } from "../../../../lib/records/range-reader.ts";
import { PostQueries } from "../../../../lib/repositories/posts/post-queries.ts";
import { PostsRepository } from "../../../../lib/repositories/posts/posts.ts";
import type { Post, PostsQuery } from "../../../../lib/validators/post.ts";
import { budgetOf } from "../../../support/data/budgets.ts";
import { engines, fill, onDefaultEngine, testClient } from "../../../support/database/database.ts";
import { scaled } from "../../../support/effort.ts";
import { stackTable } from "../../../support/infra/stack-table.ts";
import { meter } from "../../../support/programs/usage.ts";

const newest = { sort_by: "created_at", order: "desc", page: 1, limit: 10 } as const;
const statuses = ["draft", "published", "archived"] as const;
const start = Date.UTC(2026, 0, 1);

/** A post and its stored items, derived from its id. */
function stored(id: number, content = `Content ${id}`) {
  const time = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
  const summary = {
    author_id: id % 7,
    title: `Post ${id}`,
    status: statuses[id % 3] ?? "draft",
    tags: [`t${id % 5}`],
    created_at: time(Math.floor(id / 10)),
    updated_at: time(100_000 + (id % 11)),
    view_count: id % 4,
  };
  const block = Math.floor((id - 1) / 1_000);
  const tags = id % 50 === 0 ? [...summary.tags, "few"] : summary.tags;
  return {
    post: { id, content, ...summary, tags },
    items: [
      { pk: String(block), sk: id, ...summary, tags, version: "v", viewId: "" },
      { pk: `content#${id}`, sk: id, content, version: "v" },
      ...tags.map((tag) => ({ pk: `tag#${tag}`, sk: id })),
    ],
  };
}

describe.each(engines)("queries of posts on $name", ({ endpoint }) => {
  /** Writes the posts one by one: a batch is limited to 16 MB. */
  async function filled(all: readonly ReturnType<typeof stored>[]) {
    const table = await stackTable(endpoint, "posts");
    const client = testClient(endpoint);
    await fill(client, table, [{ ...COUNTER_KEY, last: all.at(-1)?.post.id ?? 0 }]);
    for (const { items } of all) await fill(client, table, items);
    return { lists: new PostQueries(client, table), client };
  }

  describe("over three blocks with gaps", () => {
    const deleted = [1, 2, 500, 1_000, 1_001, 2_000, 2_001, 2_100];
    const all = Array.from({ length: 2_100 }, (_, i) => stored(i + 1));
    const live = all.map(({ post }) => post).filter(({ id }) => !deleted.includes(id));
    let lists: PostQueries;

    beforeAll(async () => {
      const table = await stackTable(endpoint, "posts");
      const client = testClient(endpoint);
      await fill(client, table, [{ ...COUNTER_KEY, last: 2_100 }, ...all.flatMap(({ items }) => items)]);
      const posts = new PostsRepository(client, table, () => new Date());
      for (const id of deleted) expect(await posts.remove(id)).toBe(true);
      lists = new PostQueries(client, table);
    });

    it("returns the pages of the filtered and sorted list", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.record(
            {
              status: fc.constantFrom(...statuses),
              tag: fc.constantFrom("t0", "t1", "few", "none"),
              search: fc.constantFrom("POST 1", "99", ""),
              sort_by: fc.constantFrom("created_at" as const, "updated_at" as const, "view_count" as const),
              order: fc.constantFrom("asc" as const, "desc" as const),
              page: fc.oneof(fc.integer({ min: 1, max: 13 }), fc.constant(Number.MAX_SAFE_INTEGER)),
              limit: fc.integer({ min: 1, max: 100 }),
            },
            { requiredKeys: ["sort_by", "order", "page", "limit"] },
          ),
          async (query) => {
            expect((await lists.page(query)).records).toEqual(expectedPage(query));
          },
        ),
        { numRuns: scaled(40), examples: [[{ sort_by: "created_at", order: "asc", page: 3, limit: 10 }]] },
      );
    });

    function expectedPage({ status, tag, search, sort_by, order, page = 1, limit }: PostsQuery) {
      const found = live
        .filter((post) => status === undefined || post.status === status)
        .filter((post) => tag === undefined || post.tags.includes(tag))
        .filter((post) => post.title.toLowerCase().includes((search ?? "").toLowerCase()))
        .sort((a, b) => Number(a[sort_by] > b[sort_by]) - Number(a[sort_by] < b[sort_by]) || a.id - b.id);
      if (order === "desc") found.reverse();
      return found.slice((page - 1) * limit, page * limit);
    }

    it.each(["asc", "desc"] as const)("continue at a cursor, in the order %s", async (order) => {
      for (const filter of [{ tag: "few" }, { status: "draft" as const }]) {
        const query = { ...newest, ...filter, order, limit: 10 };
        const seen: Post[] = [];
        for (let cursor: number | undefined; seen.length < 30; ) {
          const page = (await lists.page({ ...query, cursor })) as CursorPage<Post>;
          expect(page.records).toHaveLength(10);
          seen.push(...page.records);
          cursor = page.next;
        }
        expect(seen).toEqual(expectedPage({ ...query, limit: 30 }));
      }
    });

    it("searches in parts of any start and length", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom("99", "POST 111", "content 99", "none"),
          fc.subarray(["title", "content"] as const, { minLength: 1 }),
          fc.option(fc.integer({ min: 1, max: 2_100 }), { nil: undefined }),
          fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
          async (q, fields, before, limit) => {
            const matches = live
              .filter(({ id }) => before === undefined || id < before)
              .filter((post) => fields.some((field) => post[field].toLowerCase().includes(q.toLowerCase())))
              .reverse();
            expect(await lists.search({ q, fields }, { after: before, limit })).toEqual({
              records: matches.slice(0, limit),
              next: limit !== undefined && matches.length > limit ? matches[limit - 1]?.id : undefined,
            });
          },
        ),
        { numRuns: scaled(20) },
      );
    });

    it("counts posts and views", async () => {
      const total_views = live.reduce((sum, { view_count }) => sum + view_count, 0);
      const count = (status: string) => [status, live.filter((post) => post.status === status).length];
      const [total_posts, by_status] = [live.length, Object.fromEntries(statuses.map(count))];
      const average_views = total_views / total_posts;
      expect(await lists.statistics()).toEqual({ total_posts, by_status, total_views, average_views });
    });

    it("lists an author's posts, more than one call can return", async () => {
      await expect
        .poll(async () => (await lists.listByAuthor(3)).records)
        .toEqual(live.filter(({ author_id }) => author_id === 3).reverse());
    });
  });

  it("are empty without posts", async () => {
    const { lists } = await filled([]);
    expect((await lists.page(newest)).records).toEqual([]);
    const none = { total_posts: 0, by_status: {}, total_views: 0, average_views: 0 };
    expect(await lists.statistics()).toEqual(none);
  });

  it("fail in one piece where the budget is spent", async () => {
    const { lists } = await filled([stored(1)]);
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const search = lists.search({ q: "x", fields: ["content"] }, {}, new ReadBudget(AbortSignal.abort));
    await expect(search).rejects.toThrow(ReadBudgetExceeded);
    await setImmediate();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it.each(onDefaultEngine([50]))("search in parts of %i that keep to their budget", async (limit) => {
    const ids = Array.from({ length: 8 * 60 + 3 }, (_, i) => Math.floor(i / 60) * 1_000 + (i % 60) + 1);
    const { lists, client } = await filled(ids.map((id) => stored(id, `${id} `.padEnd(20_000, "x"))));
    const usageOf = meter(client);
    const budget = 4 * 1024 * 1024;
    const query = { q: "nothing", fields: ["content" as const] };
    const parts: number[] = [];
    for (let after: number | undefined = 10_000; after !== undefined; ) {
      const { units } = await usageOf(async () => {
        ({ next: after } = await lists.search(query, { after, limit }, budgetOf(budget)));
      });
      parts.push(units);
    }
    // An eventually consistent unit reads 8 KB. The summaries are read consistently, and little is read twice.
    expect(Math.max(...parts)).toBeLessThan(1.1 * (budget / 8_192));
    expect(parts.reduce((sum, units) => sum + units)).toBeLessThan(1.2 * 3 * ids.length);
  });

  it("return contents beyond the limit of one DynamoDB response", async () => {
    // A BatchGetItem response is limited to 16 MB, a query response to 1 MB.
    const large = Array.from({ length: 50 }, (_, i) => stored(i + 1, `${i + 1} `.padEnd(380_000, "x")));
    const { lists } = await filled(large);
    const expected = large.map(({ post }) => post).reverse();
    expect((await lists.page({ ...newest, limit: 100 })).records).toEqual(expected);
    const sevens = (await lists.search({ q: "7 X", fields: ["content"] })).records;
    expect(sevens.map(({ id }) => id)).toEqual([47, 37, 27, 17, 7]);
    const parts: (readonly Post[])[] = [];
    for (let after: number | undefined = 51; after !== undefined; ) {
      const part: CursorPage<Post> = await lists.search({ q: "x", fields: ["content"] }, { after });
      parts.push(part.records);
      after = part.next;
    }
    expect(parts.flat()).toEqual(expected);
    expect(parts.length).toBeGreaterThan(1);
  });
});
