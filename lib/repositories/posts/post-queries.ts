import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { compareText, containsIgnoringCase } from "../../domain/text.ts";
import type { Post, PostStatistics, PostsQuery, PostsSearch } from "../../validators/post.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { queryAll } from "../dynamodb/query.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import type { IdRange } from "../records/id-blocks.ts";
import { type CursorPage, type OffsetPage, readPages, readRange } from "../records/range-reader.ts";
import type { PostSummary } from "./post-items.ts";
import { PostReader } from "./post-reader.ts";

/** The index of posts by author. It contains the keys alone, so that counting a view does not write to it. */
const BY_AUTHOR = "by-author";
/** Posts that are in memory together: at most 200 MB. */
const MAX_POSTS_READ = 500;
/** Contents that are read together per block: as many of the largest as one BatchGetItem response holds. */
const MAX_CONTENTS_READ = 40;

/** Which part of a list that has the newest posts first. */
interface NewestPostsQuery {
  /** Only smaller ids; by default from the newest post on. */
  readonly before?: number | undefined;
  /** By default as many posts as one response can hold. */
  readonly limit?: number | undefined;
}

/**
 * Queries for many posts. They read the summaries, and contents only of the posts that they return or search. They
 * count no views.
 */
export class PostQueries {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #ids: IdAllocation;
  readonly #reader: PostReader;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#ids = new IdAllocation(client, table);
    this.#reader = new PostReader(client, table);
  }

  /**
   * A page of the posts, filtered and sorted; ties are broken by id in the same direction.
   *
   * @returns the posts of the page, and the total of all pages
   * @throws ApiError `ServiceUnavailable`
   */
  async page(query: PostsQuery): Promise<OffsetPage<Post>> {
    const { status, tag, search, sort_by } = query;
    const isFiltered = status !== undefined || tag !== undefined || Boolean(search);
    return sort_by === "created_at" && !isFiltered ? this.#pageById(query) : this.#pageBySummaries(query);
  }

  /**
   * Creation times ascend with the ids, so the allocated ids alone tell the page's id ranges. Two calls in sequence
   * for any page number.
   */
  async #pageById({ order, page, limit }: PostsQuery): Promise<OffsetPage<Post>> {
    const direction = order === "asc" ? "ascending" : "descending";
    const { total, ranges } = await this.#ids.locate((page - 1) * limit, limit, direction);
    const posts = (await mapConcurrently(ranges, (range) => this.#postsIn(range))).flat();
    return { records: order === "asc" ? posts : posts.reverse(), total };
  }

  async #postsIn(range: IdRange): Promise<Post[]> {
    const [summaries, contents] = await Promise.all([
      this.#reader.summariesIn(range),
      this.#reader.contentsIn(range),
    ]);
    return this.#reader.join(summaries, contents);
  }

  /** Reads all summaries, block by block in parallel, then the page's contents. Three calls in sequence. */
  async #pageBySummaries({ status, tag, search, sort_by, order, page, limit }: PostsQuery) {
    const titleMatches = containsIgnoringCase(search ?? "");
    const matches = (post: PostSummary | Post) =>
      (status === undefined || post.status === status) &&
      (tag === undefined || post.tags.includes(tag)) &&
      titleMatches(post.title);
    const { records: summaries } = await readRange(this.#ids, {
      query: (range) => this.#reader.summaryPagesIn(range),
      maxBytes: Number.POSITIVE_INFINITY,
    });
    const found = summaries.filter(matches).sort(comparing(sort_by));
    if (order === "desc") found.reverse();
    const posts = await this.#reader.withContents(found.slice((page - 1) * limit, page * limit));
    // A post that was changed in between has been read again and may no longer match.
    return { records: posts.filter(matches), total: found.length };
  }

  /**
   * The posts whose title or content contains a text, ignoring case; newest first, limited to what one response can
   * hold.
   *
   * Searching contents reads them until enough are found, at one read unit per 4 KB: all contents when few match.
   * Searching titles reads the summaries, and the contents of the posts found.
   *
   * @throws ApiError `ServiceUnavailable`
   */
  async search(
    { q, fields }: PostsSearch,
    { before, limit }: NewestPostsQuery = {},
  ): Promise<CursorPage<Post>> {
    const contains = containsIgnoringCase(q);
    // Checked after reading too: a post that was changed in between has been read again.
    const filter = (post: Post) => fields.some((field) => contains(post[field]));
    const query = fields.includes("content")
      ? (ids: IdRange) => this.#searchContents(ids, contains, fields.includes("title"))
      : (ids: IdRange) => this.#searchTitles(ids, contains);
    return readRange(this.#ids, { order: "descending", after: before, limit, filter, query });
  }

  /** The posts of a range whose content, or optionally title, matches; newest first. */
  async *#searchContents(range: IdRange, matches: (text: string) => boolean, orTitle: boolean) {
    const pages = this.#reader.newestContentPagesIn(range);
    const [all, first] = await Promise.all([this.#reader.summariesIn(range), pages.next()]);
    const summaries = new Map(all.map((summary) => [summary.id, summary]));
    for (let page = first; !page.done; page = await pages.next()) {
      const found = page.value.filter(
        ({ id, content }) => matches(content) || (orTitle && matches(summaries.get(id)?.title ?? "")),
      );
      const existing = found.map(({ id }) => summaries.get(id)).filter((summary) => summary !== undefined);
      yield this.#reader.join(existing, found);
    }
  }

  /** The posts of a range whose title matches; newest first. */
  async *#searchTitles(range: IdRange, matches: (text: string) => boolean) {
    const summaries = await this.#reader.summariesIn(range);
    const found = summaries.filter(({ title }) => matches(title)).reverse();
    for (let i = 0; i < found.length; i += MAX_CONTENTS_READ)
      yield this.#reader.withContents(found.slice(i, i + MAX_CONTENTS_READ));
  }

  /**
   * The posts of one author, newest first, limited to what one response can hold. Two calls in sequence: the index,
   * then the posts in parallel, 50 per call and 500 at a time. The index can be slightly stale; the posts are not.
   *
   * @throws ApiError `ServiceUnavailable`
   */
  async listByAuthor(
    author: number,
    { before = Number.MAX_SAFE_INTEGER, limit }: NewestPostsQuery = {},
  ): Promise<CursorPage<Post>> {
    const keys = await queryAll(this.#client, {
      TableName: this.#table,
      IndexName: BY_AUTHOR,
      KeyConditionExpression: "author_id = :author AND sk < :before",
      ExpressionAttributeValues: { ":author": author, ":before": before },
      ConsistentRead: false,
      ScanIndexForward: false,
    });
    const posts = this.#readInParts(keys.map(({ sk }) => Number(sk)));
    return readPages(posts, { limit });
  }

  async *#readInParts(ids: readonly number[]) {
    for (let i = 0; i < ids.length; i += MAX_POSTS_READ)
      yield this.#reader.posts(ids.slice(i, i + MAX_POSTS_READ));
  }

  /** Counts posts and views. Reads the summaries alone. */
  async statistics(): Promise<PostStatistics> {
    const { records: rows } = await readRange(this.#ids, {
      query: (range) => this.#reader.statsRowPagesIn(range),
      maxBytes: Number.POSITIVE_INFINITY,
    });
    const by_status: Partial<Record<Post["status"], number>> = {};
    let views = 0;
    for (const { status, view_count } of rows) {
      by_status[status] = (by_status[status] ?? 0) + 1;
      views += view_count;
    }
    return {
      total_posts: rows.length,
      by_status,
      total_views: views,
      average_views: rows.length === 0 ? 0 : views / rows.length,
    };
  }
}

/** Ascending order; ties are broken by id. */
function comparing(field: PostsQuery["sort_by"]): (a: PostSummary, b: PostSummary) => number {
  switch (field) {
    case "created_at":
      return (a, b) => a.id - b.id;
    case "updated_at":
      return (a, b) => compareText(a.updated_at, b.updated_at) || a.id - b.id;
    case "view_count":
      return (a, b) => a.view_count - b.view_count || a.id - b.id;
  }
}
