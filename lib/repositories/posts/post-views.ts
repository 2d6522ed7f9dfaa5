import { type DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Post } from "../../validators/post.ts";
import { conditionFailureItem } from "../dynamodb/expressions.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import { recordKey } from "../records/id-blocks.ts";
import { type PostItems, type PostSummary, summaryOf, toPost } from "./post-items.ts";

/** What else has to hold of a summary. */
interface Condition {
  readonly expression: string;
  readonly values: StoredItem;
}

/**
 * Reads posts and counts the views.
 *
 * A summary remembers who counted last (`viewer`), so that a repeated attempt whose first answer was lost finds
 * its view counted instead of counting a second one. It does not where another view came between the two: only
 * a list of all readers could tell then.
 */
export class PostViews {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #items: PostItems;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   * @param items the items in that table
   */
  constructor(client: DynamoDBDocumentClient, table: string, items: PostItems) {
    this.#client = client;
    this.#table = table;
    this.#items = items;
  }

  /**
   * Reads a post and counts the view. Two calls at once: the view, which is one write unit however long the
   * content is, and the content. Where a change of the post came between them, both are read once more.
   *
   * @param id the post's id
   * @param author when given, only a post of this author is found
   * @returns the post with this view, or undefined when there is none
   * @throws ApiError `ServiceUnavailable`; the view is taken back then, as far as DynamoDB can be reached
   */
  async view(id: number, author?: number): Promise<Post | undefined> {
    const viewer = crypto.randomUUID();
    const [counted, content] = await Promise.allSettled([
      this.#count(id, viewer, author),
      this.#items.content(id),
    ]);
    if (counted.status === "rejected") {
      // Whether it was counted is not known.
      await this.#takeBack(id, { expression: "viewer = :viewer", values: { ":viewer": viewer } });
      throw counted.reason;
    }
    const summary = counted.value;
    if (summary === undefined) return undefined;
    try {
      if (content.status === "rejected") throw content.reason;
      if (content.value?.version === summary.version) return toPost(summary, content.value);
      const post = await this.#items.post(id);
      return post && { ...post, view_count: summary.view_count };
    } catch (error) {
      await this.#takeBack(id);
      throw error;
    }
  }

  /** Counts a view and gives the summary as it is then. One call. */
  async #count(id: number, viewer: string, author?: number): Promise<PostSummary | undefined> {
    try {
      return await this.#add(
        id,
        1,
        viewer,
        author === undefined
          ? undefined
          : { expression: "author_id = :author", values: { ":author": author } },
      );
    } catch (error) {
      const met = conditionFailureItem(error);
      if (met === undefined) throw error;
      // Unless it has met this very view, there is no such post, or it is another author's.
      if (met.viewer?.S !== viewer) return undefined;
      const summary = await this.#items.summary(id);
      return summary && { ...summary, view_count: Number(met.view_count?.N) };
    }
  }

  /** Takes the view of a failed read back. The read's failure is what is reported, whatever becomes of this. */
  async #takeBack(id: number, also?: Condition): Promise<void> {
    await Promise.allSettled([this.#add(id, -1, crypto.randomUUID(), also)]);
  }

  /**
   * Changes the count once.
   *
   * @param by who does it; a repeated attempt fails on its condition
   */
  async #add(id: number, change: number, by: string, also?: Condition): Promise<PostSummary> {
    const { Attributes: item = {} } = await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: recordKey(id),
        UpdateExpression: "SET viewer = :by ADD view_count :change",
        ConditionExpression: `attribute_exists(pk) AND viewer <> :by${also ? ` AND ${also.expression}` : ""}`,
        ExpressionAttributeValues: { ":by": by, ":change": change, ...also?.values },
        ReturnValues: "ALL_NEW",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return summaryOf(item);
  }
}
