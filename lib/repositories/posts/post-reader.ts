import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { DamagedRecord } from "../../domain/errors.ts";
import type { ReadBudget } from "../../domain/read-budget.ts";
import type { Post } from "../../validators/post.ts";
import { batchGet } from "../dynamodb/batch.ts";
import { decode, withoutDamaged } from "../dynamodb/decode.ts";
import { mapConcurrently } from "../dynamodb/query.ts";
import { transactGet } from "../dynamodb/transaction.ts";
import { recordKey } from "../records/id-blocks.ts";
import { RecordRepository } from "../records/record-repository.ts";
import {
  contentKey,
  type PostRow,
  type PostSummary,
  StoredContent,
  type StoredPost,
  StoredSummary,
  toPost,
} from "./post-items.ts";

/**
 * Reads posts. Summaries are read strongly consistent, contents eventually consistent at half the price: if their
 * versions differ, both are read again at the same moment. No read counts a view.
 */
export class PostReader {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly summaries: RecordRepository<PostSummary>;

  /** @param now the clock of new posts; readers need none */
  constructor(client: DynamoDBDocumentClient, table: string, now?: () => Date) {
    this.#client = client;
    this.#table = table;
    this.summaries = new RecordRepository<PostSummary>(client, table, StoredSummary, now);
  }

  /** Reads one post. Two calls at the same time. @param content if given, it is not read */
  async post(id: number, content?: string): Promise<StoredPost | undefined> {
    const [summary, stored] = await Promise.all([
      this.summaries.get(id),
      content === undefined ? this.content(id) : undefined,
    ]);
    if (summary === undefined) return undefined;
    return content === undefined ? this.join(summary, stored) : { summary, content };
  }

  /** Reads the content of a post, eventually consistent; undefined if it is missing or damaged. One call. */
  async content(id: number): Promise<StoredContent | undefined> {
    const { Item: item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: contentKey(id) }),
    );
    return StoredContent.safeParse(item).data;
  }

  /** Reads the contents of posts by their ids, eventually consistent. One call per 100. */
  async contents(
    ids: readonly number[],
    budget?: ReadBudget,
  ): Promise<Map<number, StoredContent | undefined>> {
    const options = { isConsistent: false, budget };
    const items = await batchGet(this.#client, this.#table, ids.map(contentKey), options);
    return new Map(items.map((item) => [Number(item.sk), StoredContent.safeParse(item).data]));
  }

  /**
   * Reads the existing posts of rows, in their order: the contents and, at the same time, the summaries of rows that are
   * none. One call per 100 of each.
   */
  async posts(rows: readonly PostRow[], budget?: ReadBudget): Promise<Post[]> {
    const ids = rows.map(({ id }) => id);
    const [summaries, contents] = await Promise.all([
      this.summariesOf(rows, budget),
      this.contents(ids, budget),
    ]);
    return this.joinAll(summaries, contents);
  }

  /** The existing summaries of rows, in their order. One call per 100, and none if all rows are whole summaries. */
  async summariesOf(rows: readonly PostRow[], budget?: ReadBudget): Promise<PostSummary[]> {
    const whole = rows.filter((row): row is PostSummary => row.version !== undefined);
    if (whole.length === rows.length) return whole;
    const ids = rows.map(({ id }) => id);
    const byId = await this.summaries.getMany(ids, budget);
    return ids.map((id) => byId.get(id)).filter((summary) => summary !== undefined);
  }

  /**
   * Joins summaries and contents that were read separately. A post that was changed in between is read again.
   *
   * @param contents by id; those of other posts are ignored
   * @returns the posts in the order of the summaries, without damaged ones and those that have been deleted in between
   */
  async joinAll(
    summaries: readonly PostSummary[],
    contents: ReadonlyMap<number, StoredContent | undefined>,
  ): Promise<Post[]> {
    const joined = await mapConcurrently(summaries, async (summary) =>
      Promise.allSettled([this.join(summary, contents.get(summary.id))]),
    );
    const posts = withoutDamaged(joined, ([result]) => {
      if (result.status === "rejected") throw result.reason;
      return result.value;
    });
    return posts.filter((post) => post !== undefined).map(toPost);
  }

  /** The same for one post. @throws DamagedRecord */
  async join(summary: PostSummary, stored: StoredContent | undefined): Promise<StoredPost | undefined> {
    return stored?.version === summary.version
      ? { summary, content: stored.content }
      : this.#readConsistent(summary.id);
  }

  /**
   * Reads both items of a post at the same moment, at twice the price. Their versions only differ in a restored backup,
   * in which items that were written together can have different ages.
   *
   * @throws DamagedRecord also if it has no content
   */
  async #readConsistent(id: number): Promise<StoredPost | undefined> {
    const keys = [recordKey(id), contentKey(id)];
    const [summary, content] = await transactGet(this.#client, this.#table, keys);
    if (summary === undefined) return undefined;
    if (content === undefined) throw new DamagedRecord(id, "content");
    return { summary: this.summaries.decode(summary), content: decode(StoredContent, content).content };
  }
}
