import { type DynamoDBDocumentClient, GetCommand, TransactGetCommand } from "@aws-sdk/lib-dynamodb";
import type { Post } from "../../validators/post.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { mapPages, queryPages, queryRange, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { type IdRange, recordKey } from "../records/id-blocks.ts";
import {
  contentKey,
  contentPartition,
  decodeContent,
  decodeStatsRow,
  decodeSummary,
  type PostContent,
  type PostStatsRow,
  type PostSummary,
  toPost,
} from "./post-items.ts";

/** Reads the items of posts and joins them. Every read is strongly consistent and counts no view. */
export class PostReader {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** One call. */
  async summary(id: number): Promise<PostSummary | undefined> {
    const item = await this.#get(recordKey(id));
    return item && decodeSummary(item);
  }

  /** One call. */
  async content(id: number): Promise<PostContent | undefined> {
    const item = await this.#get(contentKey(id));
    return item && decodeContent(item);
  }

  /** Both items of a post at the same moment. One call, at twice the price of two reads. */
  async readConsistent(id: number): Promise<{ summary: PostSummary; content: PostContent } | undefined> {
    const { Responses: [summary, content] = [] } = await this.#client.send(
      new TransactGetCommand({
        TransactItems: [recordKey(id), contentKey(id)].map((Key) => ({
          Get: { TableName: this.#table, Key },
        })),
      }),
    );
    if (!summary?.Item || !content?.Item) return undefined;
    return { summary: decodeSummary(summary.Item), content: decodeContent(content.Item) };
  }

  /** The summaries of a range of ids, in ascending order. */
  async summariesIn({ block, from, to }: IdRange): Promise<PostSummary[]> {
    return (await queryRange(this.#client, this.#table, String(block), from, to)).map(decodeSummary);
  }

  /** The same, one response of the query after the other. */
  summaryPagesIn({ block, from, to }: IdRange): AsyncGenerator<readonly PostSummary[]> {
    const query = rangeQuery(this.#table, String(block), from, to);
    return mapPages(queryPages(this.#client, query), decodeSummary);
  }

  /** Costs as much as the summaries, but decodes a fifth of the data. */
  statsRowPagesIn({ block, from, to }: IdRange): AsyncGenerator<readonly PostStatsRow[]> {
    const query = {
      ...rangeQuery(this.#table, String(block), from, to),
      ProjectionExpression: "#status, view_count",
      ExpressionAttributeNames: { "#status": "status" },
    };
    return mapPages(queryPages(this.#client, query), decodeStatsRow);
  }

  /** The contents of a range of ids, in ascending order. */
  async contentsIn({ block, from, to }: IdRange): Promise<PostContent[]> {
    return (await queryRange(this.#client, this.#table, contentPartition(block), from, to)).map(
      decodeContent,
    );
  }

  /** The contents of a range of ids in descending order, one response of the query at a time. */
  newestContentPagesIn({ block, from, to }: IdRange): AsyncGenerator<readonly PostContent[]> {
    const query = { ...rangeQuery(this.#table, contentPartition(block), from, to), ScanIndexForward: false };
    return mapPages(queryPages(this.#client, query), decodeContent);
  }

  /** Reads the contents of summaries and joins them, in the order of the summaries. One call per 100 posts. */
  async withContents(summaries: readonly PostSummary[]): Promise<Post[]> {
    const items = await batchGet(
      this.#client,
      this.#table,
      summaries.map(({ id }) => contentKey(id)),
    );
    return this.join(summaries, items.map(decodeContent));
  }

  /** The existing posts with these ids, in the order of the ids. One call per 50 posts. */
  async posts(ids: readonly number[]): Promise<Post[]> {
    const keys = ids.flatMap((id) => [recordKey(id), contentKey(id)]);
    const items = await batchGet(this.#client, this.#table, keys);
    const summaries = new Map<number, PostSummary>();
    const contents: PostContent[] = [];
    for (const item of items) {
      if ("content" in item) contents.push(decodeContent(item));
      else summaries.set(Number(item.sk), decodeSummary(item));
    }
    return this.join(
      ids.map((id) => summaries.get(id)).filter((summary) => summary !== undefined),
      contents,
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
    content: Pick<PostContent, "content" | "version"> | undefined,
  ): Promise<Post | undefined> {
    if (content?.version === summary.version) return toPost(summary, content);
    const current = await this.readConsistent(summary.id);
    return current && toPost(current.summary, current.content);
  }

  async #get(key: StoredItem): Promise<StoredItem | undefined> {
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: key, ConsistentRead: true }),
    );
    return item;
  }
}
