import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { compareText, containsIgnoringCase } from "../../domain/text.ts";
import type { Post, PostStatistics, PostsQuery, PostsSearch } from "../../validators/post.ts";
import { queryAll } from "../dynamodb/query.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import type { IdRange } from "../records/id-blocks.ts";
import {
  type CursorPage,
  type OffsetPage,
  readOffsetPage,
  readPages,
  readRange,
} from "../records/range-reader.ts";
import { PostItems, type PostSummary } from "./post-items.ts";

/** The index of posts by author; it has the keys alone, so that a counted view is no write to it. */
const BY_AUTHOR = "by-author";

/** Posts that are read at once: at their largest 200 MB. */
const AT_ONCE = 500;

/** Contents that are read at once of each block: as many as one answer of BatchGetItem holds at their largest. */
const CONTENTS_AT_ONCE = 40;

/**
 * Many posts at once. Lists read the summaries and then only those contents that they answer; they count no
 * views.
 */
export class PostQueries {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #ids: IdAllocation;
  readonly #items: PostItems;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   */
  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#ids = new IdAllocation(client, table);
    this.#items = new PostItems(client, table);
  }

  /**
   * A page of the posts, filtered and sorted; ties go by id in the same direction.
   *
   * By creation and without a filter it is found by arithmetic, since creation times never run against the ids:
   * two calls in sequence, whatever the page. Otherwise all summaries are read, block by block in parallel, and
   * then the contents of the page by key: three calls in sequence.
   *
   * @returns the posts, and how many there are on all pages
   * @throws ApiError `ServiceUnavailable`
   */
  async page(query: PostsQuery): Promise<OffsetPage<Post>> {
    const { status, tag, search, sort_by, order, page, limit } = query;
    const offset = (page - 1) * limit;
    if (sort_by === "created_at" && status === undefined && tag === undefined && !search)
      return this.#page(offset, limit, order);

    const hasTitle = containsIgnoringCase(search ?? "");
    const matches = (post: PostSummary | Post) =>
      (status === undefined || post.status === status) &&
      (tag === undefined || post.tags.includes(tag)) &&
      hasTitle(post.title);
    const found = (await this.#summaries()).filter(matches);
    const sorted = found.sort(comparing(sort_by));
    const chosen = (order === "asc" ? sorted : sorted.reverse()).slice(offset, offset + limit);
    const contents = await this.#items.contents(chosen.map(({ id }) => id));
    // What was changed in between has been read again, and may match no more.
    const records = (await this.#items.join(chosen, contents)).filter(matches);
    return { records, total: found.length };
  }

  /**
   * The posts whose title or content contains a text, upper and lower case being the same; newest first, as the
   * list is, and no more than one answer of the API can hold.
   *
   * Looking into contents reads them until that many are found, block by block in parallel: a read unit per 4 KB,
   * of all that was ever written where few match. Looking into titles alone reads the summaries and the contents
   * found.
   *
   * @param place only posts with smaller ids than `before`, and at most `limit` of them
   * @throws ApiError `ServiceUnavailable`
   */
  search(
    { q, fields }: PostsSearch,
    { before, limit }: { readonly before?: number | undefined; readonly limit?: number | undefined } = {},
  ): Promise<CursorPage<Post>> {
    const contains = containsIgnoringCase(q);
    const filter = (post: Post) => fields.some((field) => contains(post[field]));
    const pages = fields.includes("content")
      ? (run: IdRange) => this.#foundInContents(run, contains, fields.includes("title"))
      : (run: IdRange) => this.#foundInTitles(run, contains);
    // A post that was changed while it was read has been read again, and may match no more.
    return readRange(this.#ids, { order: "descending", after: before, limit, filter, query: pages });
  }

  /** Counts over all posts, from the summaries alone. */
  async statistics(): Promise<PostStatistics> {
    const tallies = await this.#all((run) => this.#items.statsRowsOf(run));
    const by_status: Partial<Record<Post["status"], number>> = {};
    let views = 0;
    for (const { status, view_count } of tallies) {
      by_status[status] = (by_status[status] ?? 0) + 1;
      views += view_count;
    }
    return {
      total_posts: tallies.length,
      by_status,
      total_views: views,
      average_views: tallies.length === 0 ? 0 : views / tallies.length,
    };
  }

  /**
   * The posts of one author, newest first, or a part of them; no more than one answer of the API can hold. Two
   * calls in sequence: the index, then the posts by key, fifty a call in parallel; beyond 500 posts, that many after
   * another. The index follows a write after a moment; what it names is read as it is now.
   *
   * @param place only posts with smaller ids than `before`, and at most `limit` of them
   * @throws ApiError `ServiceUnavailable`
   */
  async listByAuthor(
    author: number,
    {
      before = Number.MAX_SAFE_INTEGER,
      limit,
    }: { before?: number | undefined; limit?: number | undefined } = {},
  ): Promise<CursorPage<Post>> {
    const keys = await queryAll(this.#client, {
      TableName: this.#table,
      IndexName: BY_AUTHOR,
      KeyConditionExpression: "author_id = :author AND sk < :before",
      ExpressionAttributeValues: { ":author": author, ":before": before },
      ConsistentRead: false,
      ScanIndexForward: false,
    });
    const ids = keys.map(({ sk }) => Number(sk));
    const items = this.#items;
    const parts = (async function* () {
      for (let i = 0; i < ids.length; i += AT_ONCE) yield await items.posts(ids.slice(i, i + AT_ONCE));
    })();
    return readPages(parts, { limit });
  }

  #page(offset: number, limit: number, order: PostsQuery["order"]): Promise<OffsetPage<Post>> {
    const direction = order === "asc" ? "ascending" : "descending";
    return readOffsetPage(this.#ids, offset, limit, direction, async (run) => {
      const [summaries, contents] = await Promise.all([
        this.#items.summariesOf(run),
        this.#items.contentsOf(run),
      ]);
      return this.#items.join(summaries, contents);
    });
  }

  #summaries(): Promise<PostSummary[]> {
    return this.#all((run) => this.#items.summariesOf(run));
  }

  async #all<T>(read: (run: IdRange) => Promise<T[]>): Promise<T[]> {
    const query = async function* (run: IdRange) {
      yield await read(run);
    };
    const { records } = await readRange(this.#ids, { query, maxBytes: Number.POSITIVE_INFINITY });
    return [...records];
  }

  /** Of a run, the newest first, the posts whose content contains something, or whose title does. */
  async *#foundInContents(run: IdRange, contains: (text: string) => boolean, orTitle: boolean) {
    const pages = this.#items.contentPagesOf(run);
    const [all, first] = await Promise.all([this.#items.summariesOf(run), pages.next()]);
    const summaries = new Map(all.map((summary) => [summary.id, summary]));
    for (let page = first; !page.done; page = await pages.next()) {
      const found = page.value.filter(
        ({ id, content }) => contains(content) || (orTitle && contains(summaries.get(id)?.title ?? "")),
      );
      const known = found.map(({ id }) => summaries.get(id)).filter((summary) => summary !== undefined);
      yield this.#items.join(known, found);
    }
  }

  /** Of a run, the newest first, the posts whose title contains something. */
  async *#foundInTitles(run: IdRange, contains: (text: string) => boolean) {
    const found = (await this.#items.summariesOf(run)).filter(({ title }) => contains(title)).reverse();
    for (let i = 0; i < found.length; i += CONTENTS_AT_ONCE) {
      const some = found.slice(i, i + CONTENTS_AT_ONCE);
      yield this.#items.join(some, await this.#items.contents(some.map(({ id }) => id)));
    }
  }
}

/** Ascending, ties by id. */
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
