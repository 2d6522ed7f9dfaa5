import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Owner } from "../../domain/ownership.ts";
import { type ReadBudget, withAdvice } from "../../domain/read-budget.ts";
import { containsIgnoringCase } from "../../domain/text.ts";
import { byField, TopRecords } from "../../domain/top-records.ts";
import { type QueryPage, queryPages, rangeQuery } from "../../dynamodb/query.ts";
import { TableAccess } from "../../dynamodb/table-access.ts";
import type { Order } from "../../records/id-allocation.ts";
import {
  type CursorPage,
  idOf,
  type OffsetPage,
  type RangeQuery,
  readInParts,
  readPages,
} from "../../records/range-reader.ts";
import type { Post, PostStatistics, PostsQuery, PostsSearch } from "../../validators/post.ts";
import { isStorableTag, type PostRow, type PostSummary, tagPartition } from "./post-items.ts";
import { PostReader } from "./post-reader.ts";

/** The index of posts by author. It has the keys alone, so that counting a view does not write to it. */
const BY_AUTHOR = "by-author";
const MAX_SUMMARIES_READ = 1_000;
/** How many summaries one read unit pays for in a query. By its key, each costs one. */
const SUMMARIES_PER_UNIT = 10;

/** How many contents are read together: at first, and then as many as have about this size. */
const FIRST_CONTENTS = 20;
const CONTENT_BYTES_READ = 512 * 1024;
const MIN_CONTENTS = 5;
const MAX_CONTENTS = 1_000;

export const TOO_MANY_TO_COUNT = "There are too many posts to count in one request";

const MAX_ID = Number.MAX_SAFE_INTEGER;

/** Queries for many posts. They count no views, and read only contents that they return or search. */
export class PostQueries extends TableAccess {
  readonly #reader: PostReader;

  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table);
    this.#reader = new PostReader(client, table, owner);
  }

  get #isOwn(): boolean {
    return this.#reader.onlyOwner !== undefined;
  }

  /**
   * A page of the posts, filtered and sorted. By creation time, which ascends with the ids, a page is found by its
   * position, or filtered posts are read until it is full. Any other order reads the deciding fields of all posts.
   */
  async page(query: PostsQuery, budget?: ReadBudget): Promise<OffsetPage<Post> | CursorPage<Post>> {
    const { status, tag, search, sort_by, cursor } = query;
    if (tag !== undefined && !isStorableTag(tag)) return { records: [], next: undefined };
    if (sort_by !== "created_at")
      return withAdvice("Sort by created_at instead", () => this.#sortedPage(query, budget));
    const isFiltered = status !== undefined || tag !== undefined || Boolean(search);
    return isFiltered || cursor !== undefined
      ? this.#filteredPage(query, budget?.forPart())
      : this.#pageByPosition(query, budget);
  }

  #pageByPosition({ order, page = 1, limit }: PostsQuery, budget?: ReadBudget): Promise<OffsetPage<Post>> {
    const join = (ids: readonly number[], summaries: Promise<readonly PostSummary[]>) =>
      this.#reader.postsOf(ids, summaries, budget);
    return this.#reader.pageWith((page - 1) * limit, limit, directions[order], join, budget);
  }

  async #filteredPage(query: PostsQuery, budget: ReadBudget | undefined): Promise<CursorPage<Post>> {
    const { tag, page = 1, limit, cursor } = query;
    const filter = filterOf(query);
    const bounds = { offset: (page - 1) * limit, limit, filter };
    const range = { ...bounds, order: directions[query.order], after: cursor };
    const { records: rows, next } =
      tag === undefined || this.#isOwn
        ? await this.#reader.listWith<PostRow>(range, (rows) => rows, selectionOf(query), budget)
        : await readPages<PostRow, number>(
            (first) => this.#taggedRows(tag, query, first, budget),
            idOf,
            bounds,
          );
    // A post that was read again may no longer match.
    return { records: (await this.#reader.posts(rows, budget)).filter(filter), next };
  }

  /** The posts of a tag in id order: their ids, or their summaries if there is another filter. */
  #taggedRows(
    tag: string,
    { status, search, order, cursor }: PostsQuery,
    Limit: number | undefined,
    budget: ReadBudget | undefined,
  ): AsyncGenerator<QueryPage<PostRow>> {
    const [from, to] = order === "asc" ? [(cursor ?? 0) + 1] : [0, cursor && cursor - 1];
    const entries = rangeQuery(this.table, tagPartition(tag), from, to);
    const query = { ...entries, Limit, ScanIndexForward: order === "asc" };
    const ids = queryPages(this.client, query, budget, rowOf);
    return status === undefined && !search ? ids : this.#withSummaries(ids, budget);
  }

  #withSummaries(ids: AsyncIterable<QueryPage<PostRow>>, budget?: ReadBudget) {
    const read = (rows: readonly PostRow[]) => this.#summariesOf(rows, budget);
    return readInParts(ids, () => MAX_SUMMARIES_READ, read);
  }

  /** The existing summaries of rows in id order: by their keys, or with all between them if that costs less. */
  async #summariesOf(rows: readonly PostRow[], budget: ReadBudget | undefined): Promise<PostSummary[]> {
    const ids = rows.map(idOf);
    const between = Math.abs((ids.at(-1) ?? 0) - (ids[0] ?? 0));
    return between < ids.length * SUMMARIES_PER_UNIT
      ? this.#reader.queryMany(ids, budget)
      : this.#reader.getMany(ids, budget);
  }

  async #sortedPage(query: PostsQuery, budget: ReadBudget | undefined): Promise<OffsetPage<Post>> {
    const { tag, sort_by, order, page = 1, limit } = query;
    const offset = (page - 1) * limit;
    const compare = byField<"key">("key", order === "desc");
    const top = new TopRecords<PostRow & { key: string | number }>(compare, offset + limit);
    const filter = filterOf(query);
    const add = (post: PostRow) => {
      if (filter(post)) top.add({ id: post.id, key: post[sort_by] ?? 0 });
    };
    if (tag === undefined || this.#isOwn) {
      const { fields, where } = selectionOf(query);
      await this.#reader.forEach([...fields, sort_by], add, budget, where);
    } else {
      const entries = rangeQuery(this.table, tagPartition(tag));
      const ids = queryPages(this.client, entries, budget, rowOf);
      for await (const { items } of this.#withSummaries(ids, budget)) items.forEach(add);
    }
    const posts = await this.#reader.posts(top.sorted().slice(offset), budget);
    return { records: posts.filter(filter), total: top.total };
  }

  /** The posts whose title or content contains a text, ignoring case; newest first (docs/adr/0021). */
  async search(
    { q, fields }: PostsSearch,
    { after, limit }: Pick<RangeQuery<Post>, "after" | "limit"> = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<Post>> {
    const part = budget?.forPart();
    const contains = containsIgnoringCase(q);
    const isTitleOnly = !fields.includes("content");
    const mayMatch = ({ title = "" }: PostRow) => !isTitleOnly || contains(title);
    const filter = (post: Post) => fields.some((field) => contains(post[field]));
    return this.#reader.listWith<Post>(
      { order: "descending", after, limit, filter },
      (rows) => this.#posts(rows, part, mayMatch),
      isTitleOnly ? { fields: ["title"] } : {},
      part,
      isTitleOnly ? undefined : part,
    );
  }

  /** The posts of one author, newest first. Two calls in sequence; the index can be a moment behind. */
  async listByAuthor(
    author: number,
    { after = MAX_ID, limit }: Pick<RangeQuery<Post>, "after" | "limit"> = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<Post>> {
    const part = budget?.forPart();
    if (this.#isOwn)
      return this.#reader.listWith<Post>(
        { order: "descending", after, limit, filter: (post) => post.author_id === author },
        (rows) => this.#posts(rows, part),
        {},
        part,
      );
    const query = {
      TableName: this.table,
      IndexName: BY_AUTHOR,
      KeyConditionExpression: "author_id = :author AND sk < :after",
      ExpressionAttributeValues: { ":author": author, ":after": after },
      ConsistentRead: false,
      ScanIndexForward: false,
    };
    const posts = (Limit?: number) =>
      this.#posts(queryPages(this.client, { ...query, Limit }, part, rowOf), part);
    return readPages(posts, idOf, { limit });
  }

  /** The posts of the rows that pass a filter, so many at a time that their contents fit into memory. */
  #posts(
    pages: AsyncIterable<QueryPage<PostRow>>,
    budget: ReadBudget | undefined,
    filter?: (row: PostRow) => boolean,
  ): AsyncGenerator<QueryPage<Post>> {
    let size = FIRST_CONTENTS;
    const read = async (rows: readonly PostRow[]) => {
      const posts = await this.#reader.posts(rows, budget);
      const bytes = posts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
      const ofAverage = Math.floor((CONTENT_BYTES_READ * posts.length) / Math.max(1, bytes));
      size = Math.min(MAX_CONTENTS, Math.max(MIN_CONTENTS, ofAverage));
      return posts;
    };
    return readInParts(pages, () => size, read, filter);
  }

  /** Counts posts and views. Reads the two fields of all summaries. */
  async statistics(budget?: ReadBudget): Promise<PostStatistics> {
    const by_status: Partial<Record<Post["status"], number>> = {};
    let [posts, views] = [0, 0];
    const count = ({ status, view_count }: Pick<PostSummary, "status" | "view_count">) => {
      posts += 1;
      by_status[status] = (by_status[status] ?? 0) + 1;
      views += view_count;
    };
    await withAdvice(TOO_MANY_TO_COUNT, () => this.#reader.forEach(["status", "view_count"], count, budget));
    const average_views = views / Math.max(1, posts);
    return { total_posts: posts, by_status, total_views: views, average_views };
  }
}

const directions: Readonly<Record<PostsQuery["order"], Order>> = { asc: "ascending", desc: "descending" };

function rowOf({ sk }: Readonly<Record<string, unknown>>): PostRow {
  return { id: Number(sk) };
}

/** Checks only what the query filters by, and tags only if they were read. */
function filterOf({ status, tag, search = "" }: PostsQuery): (post: Omit<PostRow, "id">) => boolean {
  const contains = containsIgnoringCase(search);
  return (post) =>
    (status === undefined || post.status === status) &&
    (tag === undefined || (post.tags?.includes(tag) ?? true)) &&
    (search === "" || contains(post.title ?? ""));
}

function selectionOf({ status, search }: PostsQuery) {
  return {
    fields: [...(status ? (["status"] as const) : []), ...(search ? (["title"] as const) : [])],
    where: status && (["status", status] as const),
  };
}
