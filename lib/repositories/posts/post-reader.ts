import { type DynamoDBDocumentClient, GetCommand, TransactGetCommand } from "@aws-sdk/lib-dynamodb";
import type { ReadBudget } from "../../domain/read-budget.ts";
import type { Post } from "../../validators/post.ts";
import { batchGet, type ItemKey } from "../dynamodb/batch.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import {
  mapPages,
  projection,
  type QueryInput,
  type QueryPage,
  queryPages,
  queryRange,
  rangeQuery,
  type StoredItem,
  withFilter,
} from "../dynamodb/query.ts";
import { bodyKey, joinBodies, joinBody, joinConsistent, joinPages } from "../records/bodies.ts";
import type { Order } from "../records/id-allocation.ts";
import { type IdRange, recordKey } from "../records/id-blocks.ts";
import {
  contentKey,
  contentPartition,
  decodeContent,
  decodeSummary,
  isSummary,
  type PostContent,
  type PostRow,
  type PostSummary,
  type RowAttribute,
  rowDecoder,
  toPost,
} from "./post-items.ts";

/** Which part of the summaries is sent. */
export interface SummarySelection<Attribute extends string = RowAttribute> {
  readonly attributes: readonly Attribute[];
  /** Only posts with this status; all by default. */
  readonly status?: Post["status"] | undefined;
}

/** Reads the items of posts and joins them. Every read is strongly consistent and counts no view. */
export class PostReader {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #budget: ReadBudget | undefined;

  /** @param budget of the request, for lists; none by default */
  constructor(client: DynamoDBDocumentClient, table: string, budget?: ReadBudget) {
    this.#client = client;
    this.#table = table;
    this.#budget = budget;
  }

  /** One call. */
  async summary(id: number): Promise<PostSummary | undefined> {
    const item = await this.#get(recordKey(id));
    return item && decodeSummary(item);
  }

  /**
   * The content and its body, if it has one. One call, eventually consistent, which costs half: whoever joins it with a
   * summary compares their versions.
   */
  async content(id: number): Promise<PostContent | undefined> {
    const keys = [contentKey(id), bodyKey(id)];
    const items = await batchGet(this.#client, this.#table, keys, { isConsistent: false });
    const [head, body] = keys.map(({ pk }) => items.find((item) => item.pk === pk));
    const item = head && joinBody(head, body);
    return item && decodeContent(item);
  }

  /** All items of a post at the same moment. One call, at twice the price of three reads. */
  async readConsistent(id: number): Promise<{ summary: PostSummary; content: PostContent } | undefined> {
    const { Responses: [summary, head, body] = [] } = await this.#client.send(
      new TransactGetCommand({
        TransactItems: [recordKey(id), contentKey(id), bodyKey(id)].map((Key) => ({
          Get: { TableName: this.#table, Key },
        })),
      }),
    );
    const content = head?.Item && joinConsistent(head.Item, body?.Item);
    if (!summary?.Item || !content) return undefined;
    return { summary: decodeSummary(summary.Item), content: decodeContent(content) };
  }

  /** The summaries of a range of ids, in ascending order. */
  async summariesIn(range: IdRange): Promise<PostSummary[]> {
    return (await this.#itemsIn(String(range.block), range)).map(decodeSummary);
  }

  /** The same, one response of the query after the other. */
  summaryPagesIn(
    { block, from, to }: IdRange,
    Limit: number | undefined,
    order: Order,
  ): AsyncGenerator<QueryPage<PostSummary>> {
    return this.#pages({ ...rangeQuery(this.#table, String(block), from, to), Limit }, order, decodeSummary);
  }

  /** A part of the summaries of a range, one response of the query after the other. */
  projectedPagesIn(
    range: IdRange,
    { attributes, status }: SummarySelection,
    order: Order,
  ): AsyncGenerator<QueryPage<PostRow>> {
    const query = this.#projectedQuery(range, { attributes: ["sk", ...attributes], status });
    return this.#pages(query, order, rowDecoder(attributes));
  }

  /** Visits the summaries of a range. It costs as much as reading them, but only the selection is sent and decoded. */
  async visitSummariesIn(
    range: IdRange,
    selection: SummarySelection<string>,
    visit: (item: StoredItem) => void,
  ): Promise<void> {
    const query = this.#projectedQuery(range, selection);
    for await (const { items } of queryPages(this.#client, query, this.#budget))
      for (const item of items) visit(item);
  }

  #projectedQuery(
    { block, from, to }: IdRange,
    { attributes, status }: SummarySelection<string>,
  ): QueryInput {
    const query = { ...rangeQuery(this.#table, String(block), from, to), ...projection(attributes) };
    return status === undefined ? query : withFilter(query, "status", status);
  }

  /** The contents of a range of ids, in ascending order. */
  async contentsIn(range: IdRange): Promise<PostContent[]> {
    return this.#contentsOf(await this.#itemsIn(contentPartition(range.block), range));
  }

  /** The contents of a range of ids in descending order, one response of the query at a time. */
  newestContentPagesIn(
    { block, from, to }: IdRange,
    Limit: number | undefined,
  ): AsyncGenerator<QueryPage<PostContent>> {
    const query = { ...rangeQuery(this.#table, contentPartition(block), from, to), Limit };
    const heads = queryPages(this.#client, { ...query, ScanIndexForward: false }, this.#budget);
    return mapPages(joinPages(this.#client, this.#table, heads, this.#budget), decodeContent);
  }

  /** The existing summaries with these ids, in the order of the ids. One call per 100. */
  async summaries(ids: readonly number[]): Promise<PostSummary[]> {
    const items = await this.#batchGet(ids.map(recordKey));
    const byId = new Map(items.map((item) => [Number(item.sk), decodeSummary(item)]));
    return ids.map((id) => byId.get(id)).filter((summary) => summary !== undefined);
  }

  /** Reads the contents of summaries and joins them, in the order of the summaries. One call per 100 posts. */
  async withContents(summaries: readonly PostSummary[]): Promise<Post[]> {
    const items = await this.#batchGet(summaries.map(({ id }) => contentKey(id)));
    return this.join(summaries, await this.#contentsOf(items));
  }

  /**
   * The posts of rows, in their order. One call per 100 whole summaries; otherwise the summaries are read as well, one
   * call per 50 posts.
   */
  async postsOf(rows: readonly PostRow[]): Promise<Post[]> {
    const summaries = rows.filter(isSummary);
    return summaries.length === rows.length
      ? this.withContents(summaries)
      : this.posts(rows.map(({ id }) => id));
  }

  /** The existing posts with these ids, in the order of the ids. One call per 50 posts. */
  async posts(ids: readonly number[]): Promise<Post[]> {
    const keys = ids.flatMap((id) => [recordKey(id), contentKey(id)]);
    const items = await this.#batchGet(keys);
    const summaries = new Map<number, PostSummary>();
    const contents: StoredItem[] = [];
    for (const item of items) {
      if (item.pk === contentKey(Number(item.sk)).pk) contents.push(item);
      else summaries.set(Number(item.sk), decodeSummary(item));
    }
    return this.join(
      ids.map((id) => summaries.get(id)).filter((summary) => summary !== undefined),
      await this.#contentsOf(contents),
    );
  }

  /**
   * Joins summaries and contents that were read separately. A post that was changed in between is read again.
   *
   * @param contents in any order; those of other posts are ignored
   * @returns the posts in the order of the summaries, without those that have been deleted in between
   */
  async join(summaries: readonly PostSummary[], contents: readonly PostContent[]): Promise<Post[]> {
    const byId = new Map(contents.map((content) => [content.id, content]));
    const posts = await mapConcurrently(summaries, (summary) => this.joinOne(summary, byId.get(summary.id)));
    return posts.filter((post) => post !== undefined);
  }

  /** The same for one post. */
  async joinOne(
    summary: PostSummary,
    content: Omit<PostContent, "id"> | undefined,
  ): Promise<Post | undefined> {
    if (content?.version === summary.version) return toPost(summary, content);
    const current = await this.readConsistent(summary.id);
    return current && toPost(current.summary, current.content);
  }

  async #contentsOf(heads: readonly StoredItem[]): Promise<PostContent[]> {
    return (await joinBodies(this.#client, this.#table, heads, this.#budget)).map(decodeContent);
  }

  #itemsIn(partition: string, { from, to }: IdRange): Promise<StoredItem[]> {
    return queryRange(this.#client, this.#table, partition, from, to, this.#budget);
  }

  #pages<T>(query: QueryInput, order: Order, decode: (item: StoredItem) => T): AsyncGenerator<QueryPage<T>> {
    const input = { ...query, ScanIndexForward: order === "ascending" };
    return mapPages(queryPages(this.#client, input, this.#budget), decode);
  }

  #batchGet(keys: readonly ItemKey[]): Promise<StoredItem[]> {
    return batchGet(this.#client, this.#table, keys, { budget: this.#budget });
  }

  async #get(key: StoredItem): Promise<StoredItem | undefined> {
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: key, ConsistentRead: true }),
    );
    return item;
  }
}
