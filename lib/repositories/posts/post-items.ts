import { type DynamoDBDocumentClient, GetCommand, TransactGetCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { Post } from "../../validators/post.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { mapConcurrently } from "../dynamodb/concurrency.ts";
import { queryAll, queryPages, queryRange, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { blockOf, type IdRange, recordKey } from "../records/id-blocks.ts";

/** A post without its content. `version` names the content that belongs to it. */
const Summary = Post.omit({ content: true }).extend({ version: z.string() });
export type PostSummary = z.output<typeof Summary>;

const Tally = Summary.pick({ status: true, view_count: true });
export type PostStatsRow = z.output<typeof Tally>;

const Content = z.object({ id: z.int(), content: z.string(), version: z.string() });
export type PostContent = z.output<typeof Content>;

/**
 * The two items that a post consists of. The summary lies under its block and id as a record does, the content
 * under `content#` and the block, and the id. So what filters, sorts and counts never reads contents, and
 * counting a view never writes one. Every change of the content gives both items a new version, by which
 * readers see whether what they have read belongs together.
 *
 * Every read is strongly consistent.
 */
export class PostItems {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   */
  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** The summary of one post. One call. */
  async summary(id: number): Promise<PostSummary | undefined> {
    return this.#get(recordKey(id), summaryOf);
  }

  /** The content of one post. One call. */
  async content(id: number): Promise<PostContent | undefined> {
    return this.#get(contentKeyOf(id), contentOf);
  }

  /** One post, both items as they were at one time. One call, which costs twice what two reads do. */
  async post(id: number): Promise<Post | undefined> {
    const both = await this.readConsistent(id);
    return both && toPost(both.summary, both.content);
  }

  /** The same, as the two items that it consists of. */
  async readConsistent(id: number): Promise<{ summary: PostSummary; content: PostContent } | undefined> {
    const { Responses: [summary, content] = [] } = await this.#client.send(
      new TransactGetCommand({
        TransactItems: [recordKey(id), contentKeyOf(id)].map((Key) => ({
          Get: { TableName: this.#table, Key },
        })),
      }),
    );
    if (!summary?.Item || !content?.Item) return undefined;
    return { summary: summaryOf(summary.Item), content: contentOf(content.Item) };
  }

  /** The summaries of a run of ids. */
  async summariesOf({ block, from, to }: IdRange): Promise<PostSummary[]> {
    return (await queryRange(this.#client, this.#table, String(block), from, to)).map(summaryOf);
  }

  /** What statistics count of a run of ids: as dear to read as the summaries, but a fifth of it to decode. */
  async statsRowsOf({ block, from, to }: IdRange): Promise<PostStatsRow[]> {
    const items = await queryAll(this.#client, {
      ...rangeQuery(this.#table, String(block), from, to),
      ProjectionExpression: "#status, view_count",
      ExpressionAttributeNames: { "#status": "status" },
    });
    return items.map((item) => Tally.parse(item));
  }

  /** The contents of a run of ids. */
  async contentsOf({ block, from, to }: IdRange): Promise<PostContent[]> {
    return (await queryRange(this.#client, this.#table, contentPartition(block), from, to)).map(contentOf);
  }

  /** The same, the greatest id first and one answer of the query after the other. */
  async *contentPagesOf({ block, from, to }: IdRange): AsyncGenerator<PostContent[]> {
    const query = rangeQuery(this.#table, contentPartition(block), from, to);
    for await (const page of queryPages(this.#client, { ...query, ScanIndexForward: false }))
      yield page.map(contentOf);
  }

  /** The contents of some posts, in no order. One call per hundred. */
  async contents(ids: readonly number[]): Promise<PostContent[]> {
    return (await batchGet(this.#client, this.#table, ids.map(contentKeyOf))).map(contentOf);
  }

  /** Some posts, in the order of the ids without those that do not exist. One call per fifty. */
  async posts(ids: readonly number[]): Promise<Post[]> {
    const keys = ids.flatMap((id) => [recordKey(id), contentKeyOf(id)]);
    const items = await batchGet(this.#client, this.#table, keys);
    const summaries = new Map<number, PostSummary>();
    const contents: PostContent[] = [];
    for (const item of items) {
      if ("content" in item) contents.push(contentOf(item));
      else summaries.set(Number(item.sk), summaryOf(item));
    }
    return this.join(
      ids.map((id) => summaries.get(id)).filter((summary) => summary !== undefined),
      contents,
    );
  }

  /**
   * Puts summaries and contents that were read apart together. What does not belong together, because the post
   * was changed in between, is read again at one time.
   *
   * @param summaries in any order
   * @param contents in any order; those of other posts are passed over
   * @returns the posts in the order of the summaries, without those that have been deleted since
   */
  async join(summaries: readonly PostSummary[], contents: readonly PostContent[]): Promise<Post[]> {
    const byId = new Map(contents.map((content) => [content.id, content]));
    const posts = await mapConcurrently(summaries, async (summary) => {
      const content = byId.get(summary.id);
      return content?.version === summary.version ? toPost(summary, content) : this.post(summary.id);
    });
    return posts.filter((post) => post !== undefined);
  }

  async #get<T>(key: StoredItem, decode: (item: StoredItem) => T): Promise<T | undefined> {
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: key, ConsistentRead: true }),
    );
    return item && decode(item);
  }
}

/** Where the content of a post lies; its summary lies at `keyOf(id)`. */
export function contentKeyOf(id: number): { pk: string; sk: number } {
  return { pk: contentPartition(blockOf(id)), sk: id };
}

/**
 * Makes a post of its two parts.
 *
 * @param summary and
 * @param content of the same version
 */
export function toPost(summary: PostSummary, { content }: Pick<PostContent, "content">): Post {
  const { id, author_id, title, status, tags, created_at, updated_at, view_count } = summary;
  return { id, author_id, title, content, status, tags, created_at, updated_at, view_count };
}

function contentPartition(block: number): string {
  return `content#${block}`;
}

/**
 * Decodes a summary.
 *
 * @param item as it is stored
 */
export function summaryOf(item: StoredItem): PostSummary {
  return Summary.parse({ ...item, id: item.sk });
}

function contentOf(item: StoredItem): PostContent {
  return Content.parse({ ...item, id: item.sk });
}
