import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type ReadBudget, withAdvice } from "../../domain/read-budget.ts";
import { compareText, containsIgnoringCase } from "../../domain/text.ts";
import { TopRecords } from "../../domain/top-records.ts";
import type { Post, PostStatistics, PostsQuery, PostsSearch } from "../../validators/post.ts";
import {
  mapPages,
  type QueryPage,
  queryAll,
  queryPages,
  rangeQuery,
  type StoredItem,
  splitPages,
} from "../dynamodb/query.ts";
import { IdAllocation, type Order } from "../records/id-allocation.ts";
import type { IdRange } from "../records/id-blocks.ts";
import {
  type CursorPage,
  type OffsetPage,
  readAll,
  readOffsetPage,
  readPages,
  readRange,
  withoutFirst,
} from "../records/range-reader.ts";
import {
  isStorableTag,
  type PostRow,
  type PostSummary,
  type RowAttribute,
  rowDecoder,
  StatsRow,
  tagPartition,
} from "./post-items.ts";
import { PostReader, type SummarySelection } from "./post-reader.ts";

/** The index of posts by author. It contains the keys alone, so that counting a view does not write to it. */
const BY_AUTHOR = "by-author";
/** Posts that are in memory together: at most 200 MB. */
const MAX_POSTS_READ = 500;
/** Contents that are read together per block: as many of the largest as one BatchGetItem response holds. */
const MAX_CONTENTS_READ = 40;
/** Summaries that one BatchGetItem reads. */
const MAX_FEW = 100;

export const TOO_MANY_TO_COUNT = "There are too many posts to count them in one request";

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

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#ids = new IdAllocation(client, table);
  }

  /**
   * A page of the posts, filtered and sorted; ties are broken by id in the same direction.
   *
   * Creation times ascend with the ids. So a page of all posts by creation time is found by its position, and a page of
   * filtered posts by creation time reads the newest or oldest ones until it is full. Any other order reads the
   * attributes of all posts that decide.
   *
   * @returns the posts of the page; with the total of all pages if it is known
   * @throws ReadBudgetExceeded
   * @throws ApiError `ServiceUnavailable`
   */
  async page(query: PostsQuery, budget?: ReadBudget): Promise<OffsetPage<Post> | CursorPage<Post>> {
    const { status, tag, search, sort_by, cursor } = query;
    if (tag !== undefined && !isStorableTag(tag)) return { records: [], next: undefined };
    if (sort_by !== "created_at")
      return withAdvice("Sort by created_at instead", () => this.#sortedPage(query, budget));
    const part = budget?.forPart();
    if (tag !== undefined) return this.#taggedPage(tag, query, part);
    return status !== undefined || search || cursor !== undefined
      ? this.#filteredPage(query, this.#reader(part))
      : this.#pageById(query, this.#reader(budget));
  }

  #pageById({ order, page = 1, limit }: PostsQuery, reader: PostReader): Promise<OffsetPage<Post>> {
    return readOffsetPage(this.#ids, (page - 1) * limit, limit, directions[order], async (range) => {
      const [summaries, contents] = await Promise.all([reader.summariesIn(range), reader.contentsIn(range)]);
      return reader.join(summaries, contents);
    });
  }

  async #filteredPage(query: PostsQuery, reader: PostReader): Promise<CursorPage<Post>> {
    const { order, page = 1, limit, cursor: after } = query;
    const offset = (page - 1) * limit;
    const filter = filterOf(query);
    const direction = directions[order];
    const found = await readRange<PostRow>(this.#ids, {
      order: direction,
      after,
      limit: offset + limit,
      filter,
      maxBytes: Number.POSITIVE_INFINITY,
      query: (range, first) => rowsIn(reader, range, first, direction, selectionOf(query)),
    });
    const { records: rows, next } = withoutFirst(offset, found);
    const posts = await reader.postsOf(rows);
    // A post that was changed in between has been read again and may no longer match.
    return { records: posts.filter(filter), next };
  }

  /** Reads the entries of a tag in the order of the ids, and the posts of the page. Two calls in sequence. */
  async #taggedPage(
    tag: string,
    query: PostsQuery,
    budget: ReadBudget | undefined,
  ): Promise<CursorPage<Post>> {
    const { status, search, order, page = 1, limit, cursor } = query;
    const reader = this.#reader(budget);
    const offset = (page - 1) * limit;
    const bounds = { limit: offset + limit, maxBytes: Number.POSITIVE_INFINITY };
    const filter = filterOf(query);
    const entries = (Limit: number | undefined) => {
      // No post has the id 0. DynamoDB refuses a range whose end is before its start.
      const [from, to] =
        order === "asc" ? [(cursor ?? 0) + 1, MAX_ID] : [0, Math.max(0, (cursor ?? MAX_ID) - 1)];
      const input = { ...rangeQuery(this.#table, tagPartition(tag), from, to), Limit };
      return queryPages(this.#client, { ...input, ScanIndexForward: order === "asc" }, budget);
    };
    if (status === undefined && !search) {
      const all = (Limit: number | undefined) => mapPages(entries(Limit), idOf);
      const found = withoutFirst(offset, await readPages(all, (id) => id, bounds));
      return { records: (await reader.posts(found.records)).filter(filter), next: found.next };
    }
    const summaries = (Limit: number | undefined) => readSummaries(entries(Limit), reader);
    const found = await readPages(summaries, ({ id }) => id, { ...bounds, filter });
    const { records, next } = withoutFirst(offset, found);
    return { records: (await reader.withContents(records)).filter(filter), next };
  }

  /**
   * Reads all summaries, block by block in parallel, then the page's posts. Three calls in sequence. The
   * entries of a tag are read before: if few posts have it, only their summaries are read.
   */
  async #sortedPage(query: PostsQuery, budget: ReadBudget | undefined): Promise<OffsetPage<Post>> {
    const reader = this.#reader(budget);
    const { tag, sort_by, order, page = 1, limit } = query;
    const sign = order === "desc" ? -1 : 1;
    const offset = (page - 1) * limit;
    const top = new TopRecords<SortRow>(
      (a, b) => sign * (compare(a.key, b.key) || a.id - b.id),
      offset + limit,
    );
    const filter = filterOf(query);
    const add = (post: PostRow) => {
      if (filter(post)) top.add({ id: post.id, key: post[sort_by] ?? 0 });
    };
    const tagged = tag === undefined ? undefined : await this.#taggedIds(tag, budget);
    if (tagged && tagged.size <= MAX_FEW) (await reader.summaries([...tagged])).forEach(add);
    else {
      const { attributes: filtered, status } = selectionOf(query);
      const attributes = [...filtered, sort_by];
      const decode = rowDecoder(attributes);
      await readAll(this.#ids, (range) =>
        reader.visitSummariesIn(range, { attributes: ["sk", ...attributes], status }, (item) => {
          if (tagged?.has(idOf(item)) ?? true) add(decode(item));
        }),
      );
    }
    const posts = await reader.posts(
      top
        .sorted()
        .slice(offset)
        .map(({ id }) => id),
    );
    return { records: posts.filter(filter), total: top.total };
  }

  async #taggedIds(tag: string, budget: ReadBudget | undefined): Promise<Set<number>> {
    const entries = rangeQuery(this.#table, tagPartition(tag), 1, MAX_ID);
    return new Set((await queryAll(this.#client, entries, budget)).map(idOf));
  }

  /**
   * The posts whose title or content contains a text, ignoring case; newest first, limited to what one response can
   * hold.
   *
   * Searching contents reads them until enough are found, at one read unit per 4 KB: all contents when few match.
   * Searching titles reads the summaries, and the contents of the posts found.
   *
   * @param budget where it is spent, the list ends
   * @throws ApiError `ServiceUnavailable`
   */
  async search(
    { q, fields }: PostsSearch,
    { before, limit }: NewestPostsQuery = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<Post>> {
    const reader = this.#reader(budget?.forPart());
    const contains = containsIgnoringCase(q);
    // Checked after reading too: a post that was changed in between has been read again.
    const filter = (post: Post) => fields.some((field) => contains(post[field]));
    const query = fields.includes("content")
      ? (ids: IdRange, first: number | undefined) =>
          searchContents(reader, ids, first, contains, fields.includes("title"))
      : (ids: IdRange, first: number | undefined) => searchTitles(reader, ids, first, contains);
    return readRange(this.#ids, { order: "descending", after: before, limit, filter, query });
  }

  /**
   * The posts of one author, newest first, limited to what one response can hold. Two calls in sequence: the index,
   * then the posts in parallel, 50 per call and 500 at a time. The index can be slightly stale; the posts are not.
   *
   * @param budget where it is spent, the list ends
   * @throws ApiError `ServiceUnavailable`
   */
  async listByAuthor(
    author: number,
    { before = Number.MAX_SAFE_INTEGER, limit }: NewestPostsQuery = {},
    budget?: ReadBudget,
  ): Promise<CursorPage<Post>> {
    const part = budget?.forPart();
    const query = {
      TableName: this.#table,
      IndexName: BY_AUTHOR,
      KeyConditionExpression: "author_id = :author AND sk < :before",
      ExpressionAttributeValues: { ":author": author, ":before": before },
      ConsistentRead: false,
      ScanIndexForward: false,
    };
    return readPages(
      (Limit) => this.#readPosts(queryPages(this.#client, { ...query, Limit }, part), this.#reader(part)),
      ({ id }) => id,
      { limit },
    );
  }

  /** Reads the posts that a query of keys finds. */
  async *#readPosts(
    pages: AsyncIterable<QueryPage<StoredItem>>,
    reader: PostReader,
  ): AsyncGenerator<QueryPage<Post>> {
    for await (const { items, readTo } of splitPages(pages, MAX_POSTS_READ, idOf))
      yield pageOf(await reader.posts(items.map(idOf)), readTo);
  }

  /**
   * Counts posts and views. Reads the two attributes of all summaries.
   *
   * @throws ReadBudgetExceeded
   */
  async statistics(budget?: ReadBudget): Promise<PostStatistics> {
    const reader = this.#reader(budget);
    const by_status: Partial<Record<Post["status"], number>> = {};
    let posts = 0;
    let views = 0;
    await withAdvice(TOO_MANY_TO_COUNT, () =>
      readAll(this.#ids, (range) =>
        reader.visitSummariesIn(range, { attributes: ["status", "view_count"] }, (item) => {
          const { status, view_count } = StatsRow.parse(item);
          posts += 1;
          by_status[status] = (by_status[status] ?? 0) + 1;
          views += view_count;
        }),
      ),
    );
    return {
      total_posts: posts,
      by_status,
      total_views: views,
      average_views: posts === 0 ? 0 : views / posts,
    };
  }

  #reader(budget: ReadBudget | undefined): PostReader {
    return new PostReader(this.#client, this.#table, budget);
  }
}

const directions: Readonly<Record<PostsQuery["order"], Order>> = { asc: "ascending", desc: "descending" };

/** The largest id. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

function idOf({ sk }: StoredItem): number {
  return Number(sk);
}

/** Reads the summaries of the posts whose keys a query finds. */
async function* readSummaries(
  pages: AsyncIterable<QueryPage<StoredItem>>,
  reader: PostReader,
): AsyncGenerator<QueryPage<PostSummary>> {
  for await (const page of splitPages(pages, MAX_POSTS_READ, idOf))
    yield { ...page, items: await reader.summaries(page.items.map(idOf)) };
}

/** What decides the position of a post in a sorted list. */
interface SortRow {
  readonly id: number;
  readonly key: string | number;
}

/** The fields that filters check. */
interface FilteredPost {
  readonly status?: Post["status"] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly title?: string | undefined;
}

function compare(a: string | number, b: string | number): number {
  return typeof a === "number" ? a - Number(b) : compareText(a, String(b));
}

/**
 * The filter of a list. It needs the status or title of a post only if the query filters by them. A summary without tags
 * may have the tag.
 */
function filterOf({ status, tag, search }: PostsQuery): (post: FilteredPost) => boolean {
  const titleMatches = search ? containsIgnoringCase(search) : undefined;
  return (post) =>
    (status === undefined || post.status === status) &&
    (tag === undefined || (post.tags?.includes(tag) ?? true)) &&
    (titleMatches === undefined || titleMatches(post.title ?? ""));
}

/** What the filter needs of the summaries. The posts of a tag are found by its entries. */
function selectionOf({ status, search }: PostsQuery): SummarySelection {
  const attributes: RowAttribute[] = [];
  if (status !== undefined) attributes.push("status");
  if (search) attributes.push("title");
  return { attributes, status };
}

/**
 * The posts of a range for a filter. The first blocks, which usually have what a page needs, are read as whole
 * summaries. Where many blocks have to be read, few posts match, and it is cheaper to decode only what the filter needs
 * and to read the posts that are found once more.
 *
 * @param limit undefined for all posts of the range
 */
function rowsIn(
  reader: PostReader,
  range: IdRange,
  limit: number | undefined,
  order: Order,
  selection: SummarySelection,
): AsyncGenerator<QueryPage<PostRow>> {
  return limit === undefined
    ? reader.projectedPagesIn(range, selection, order)
    : reader.summaryPagesIn(range, limit, order);
}

/** The posts of a range whose content, or optionally title, matches; newest first. */
async function* searchContents(
  reader: PostReader,
  range: IdRange,
  limit: number | undefined,
  matches: (text: string) => boolean,
  orTitle: boolean,
): AsyncGenerator<QueryPage<Post>> {
  // Without a limit all contents of the range are read, and all summaries at the same time.
  const allSummaries = limit === undefined ? reader.summariesIn(range) : undefined;
  // Awaited with the first contents. If these cannot be read, nobody awaits it, and a rejection would end the process.
  allSummaries?.catch(() => {});
  const pages = reader.newestContentPagesIn(range, limit);
  for await (const { items: contents, readTo } of pages) {
    const from = contents.at(-1)?.id ?? 0;
    const to = contents[0]?.id ?? 0;
    const read = await (allSummaries ?? reader.summariesIn({ ...range, from, to }));
    const summaries = new Map(read.map((summary) => [summary.id, summary]));
    const found = contents.filter(
      ({ id, content }) => matches(content) || (orTitle && matches(summaries.get(id)?.title ?? "")),
    );
    const existing = found.map(({ id }) => summaries.get(id)).filter((summary) => summary !== undefined);
    yield pageOf(await reader.join(existing, found), readTo);
  }
}

/** The posts of a range whose title matches; newest first. */
async function* searchTitles(
  reader: PostReader,
  range: IdRange,
  limit: number | undefined,
  matches: (text: string) => boolean,
): AsyncGenerator<QueryPage<Post>> {
  const selection: SummarySelection = { attributes: ["title"] };
  for await (const { items, readTo } of rowsIn(reader, range, limit, "descending", selection)) {
    const found = items.filter(({ title = "" }) => matches(title));
    for (let i = 0; i === 0 || i < found.length; i += MAX_CONTENTS_READ) {
      const part = found.slice(i, i + MAX_CONTENTS_READ);
      const isLast = i + MAX_CONTENTS_READ >= found.length;
      yield pageOf(await reader.postsOf(part), isLast ? readTo : part.at(-1)?.id);
    }
  }
}

function pageOf(posts: readonly Post[], readTo: unknown): QueryPage<Post> {
  return {
    items: posts,
    bytes: posts.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
    readTo,
  };
}
