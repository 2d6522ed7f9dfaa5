import { type DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { DamagedRecord } from "../../domain/errors.ts";
import type { Owner } from "../../domain/ownership.ts";
import type { ReadBudget } from "../../domain/read-budget.ts";
import { admissionOf } from "../../dynamodb/admission.ts";
import { fromRawItem, toRawItem } from "../../dynamodb/attribute-values.ts";
import { batchGet } from "../../dynamodb/batch.ts";
import { decode, withoutDamaged } from "../../dynamodb/decode.ts";
import { mapConcurrently } from "../../dynamodb/query.ts";
import { transactGet } from "../../dynamodb/writes.ts";
import { recordKey } from "../../records/id-blocks.ts";
import { idOf } from "../../records/range-reader.ts";
import { RecordRepository } from "../../records/record-repository.ts";
import type { Post } from "../../validators/post.ts";
import { contentKey, PostContent, type PostRow, PostSummary, toPost } from "./post-items.ts";

/**
 * Reads posts, without counting views. Contents are read eventually consistent, at half the price: if their version
 * differs from that of the summary, both are read again at the same moment.
 */
export class PostReader extends RecordRepository<PostSummary> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner, now?: () => Date) {
    super(client, table, PostSummary, owner, now);
  }

  /** Reads one post. Two calls at the same time. @param content if given, it is not read */
  async post(id: number, content?: string): Promise<(PostSummary & PostContent) | undefined> {
    const readContent = content === undefined ? await this.admitContent(id) : async () => undefined;
    if (readContent === undefined) return undefined;
    const [summary, stored] = await Promise.all([this.get(id), readContent()]);
    if (summary === undefined) return undefined;
    return content === undefined ? this.join(summary, stored) : { ...summary, content };
  }

  /**
   * Admits a read of a post's content, which can take 49 units. One call for an owner, and at most one to buy units.
   * @returns reads it: undefined if it is missing or damaged. Undefined if the owner has no such post
   * @throws ApiError `TooManyRequests`
   */
  async admitContent(id: number): Promise<(() => Promise<PostContent | undefined>) | undefined> {
    const { onlyOwner } = this;
    if (onlyOwner !== undefined && !(await this.read(id))) return undefined;
    const key = contentKey(id);
    const reportUnits = await admissionOf(this.client, this.table, `reads#${key.pk}`)?.admit();
    const Key = toRawItem(key);
    const read = new GetItemCommand({ TableName: this.table, Key, ReturnConsumedCapacity: "TOTAL" });
    return async () => {
      let units: number | undefined;
      try {
        const { Item, ConsumedCapacity } = await this.client.send(read);
        units = ConsumedCapacity?.CapacityUnits;
        return PostContent.safeParse(Item && fromRawItem(Item)).data;
      } finally {
        reportUnits?.(units);
      }
    };
  }

  /** The existing posts of rows, in their order. One call per 100, and one more for summaries. */
  posts(rows: readonly PostRow[], budget?: ReadBudget): Promise<Post[]> {
    return this.postsOf(rows.map(idOf), this.summariesOf(rows, budget), budget);
  }

  /**
   * The existing posts, in the order of their summaries. One call per 100; what was changed in between is read again.
   */
  async postsOf(ids: readonly number[], summaries: Promise<readonly PostSummary[]>, budget?: ReadBudget) {
    const options = { isConsistent: false, budget };
    const reading = batchGet(this.client, this.table, ids.map(contentKey), options);
    const [found, items] = await Promise.all([summaries, reading]);
    const contents = new Map(items.map((item) => [item.sk, PostContent.safeParse(item).data]));
    const posts = await mapConcurrently(found, (summary) =>
      this.join(summary, contents.get(summary.id)).catch((error) => {
        if (error instanceof DamagedRecord) return error;
        throw error;
      }),
    );
    return withoutDamaged(posts, (post) => {
      if (post instanceof DamagedRecord) throw post;
      return post ? [toPost(post)] : [];
    }).flat();
  }

  /** The existing summaries of rows, in their order. One call per 100; none if all rows are summaries. */
  async summariesOf(rows: readonly PostRow[], budget?: ReadBudget): Promise<PostSummary[]> {
    const whole = rows.filter((row): row is PostSummary => row.version !== undefined);
    if (whole.length === rows.length) return whole;
    return this.getMany(rows.map(idOf), budget);
  }

  /** Joins a summary with its content. @throws DamagedRecord also without a content */
  async join(summary: PostSummary, content?: PostContent): Promise<(PostSummary & PostContent) | undefined> {
    if (content?.version === summary.version) return { ...summary, ...content };
    const { id } = summary;
    const [current, ofCurrent] = await transactGet(this.client, this.table, [recordKey(id), contentKey(id)]);
    if (current === undefined) return undefined;
    if (ofCurrent === undefined) throw new DamagedRecord(id, "content");
    return { ...this.decode(current), content: decode(PostContent, ofCurrent).content };
  }
}
