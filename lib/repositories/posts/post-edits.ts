import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { preconditionFailed, validationError } from "../../domain/errors.ts";
import type { Post } from "../../validators/post.ts";
import { cancellationCodes } from "../dynamodb/client.ts";
import { conditionFailureItem, type Precondition, unchanged } from "../dynamodb/expressions.ts";
import { itemSize, MAX_ITEM_BYTES } from "../dynamodb/item-size.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import { recordKey } from "../records/id-blocks.ts";
import { contentKeyOf, type PostItems, type PostSummary, summaryOf, toPost } from "./post-items.ts";
import type { PostChanges } from "./posts.ts";

type SummaryChanges = Omit<PostChanges, "content"> & { readonly version?: string | undefined };

/** What else has to hold of a post that is deleted. */
export interface Removal {
  readonly author?: number | undefined;
  readonly precondition?: Precondition<Post> | undefined;
}

/** Changes and deletes posts. */
export class PostEdits {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;
  readonly #ids: IdAllocation;
  readonly #items: PostItems;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   * @param now the time
   * @param items the items in that table
   */
  constructor(client: DynamoDBDocumentClient, table: string, now: () => Date, items: PostItems) {
    this.#client = client;
    this.#table = table;
    this.#now = now;
    this.#ids = new IdAllocation(client, table);
    this.#items = items;
  }

  /**
   * Changes some fields of a post, and the time of its last change, which never goes backwards. Without new
   * content that is one update and, beside it, the read of the content; with it, a transaction of both items
   * and then the read of the summary.
   *
   * With an expectation both items are read first, at one time, and written in a transaction if the summary is
   * still that but for its views.
   *
   * @param precondition called with the post that is changed
   * @returns the post as it is then, or undefined when no post has that id
   * @throws ApiError `ValidationError` when the content is larger than an item can be
   * @throws ApiError `PreconditionFailed` when the post has changed since it was expected
   * @throws ApiError `ServiceUnavailable`
   */
  async update(
    id: number,
    changes: PostChanges,
    precondition?: Precondition<Post>,
  ): Promise<Post | undefined> {
    const { content, ...fields } = changes;
    if (content !== undefined) refuseOversize(content);
    if (precondition) return this.#updateExpected(id, changes, precondition);
    let time = this.#now().toISOString();
    for (;;) {
      try {
        return content === undefined
          ? await this.#updateSummary(id, fields, time)
          : await this.#updateBoth(id, fields, content, time);
      } catch (error) {
        const met = conditionFailureItem(error);
        if (met === undefined) throw error;
        if (met.updated_at?.S === undefined) return undefined;
        // It was changed by somebody whose clock is ahead.
        time = met.updated_at.S;
      }
    }
  }

  /**
   * Deletes a post, both its items, and enters its id as gone, in one transaction.
   *
   * @param author when given, only a post of this author is deleted
   * @param precondition called with the post that is deleted, which is read first then
   * @returns false when there is none
   * @throws ApiError `PreconditionFailed` when the post has changed since it was expected
   * @throws ApiError `ServiceUnavailable`
   */
  async remove(id: number, { author, precondition }: Removal): Promise<boolean> {
    const condition = precondition ? await this.#expected(id, precondition, author) : conditionOf(author);
    if (condition === undefined) return false;
    const summary = { TableName: this.#table, Key: recordKey(id), ...condition };
    const content = { TableName: this.#table, Key: contentKeyOf(id) };
    try {
      await this.#client.send(
        new TransactWriteCommand({
          TransactItems: [{ Delete: summary }, { Delete: content }, this.#ids.tombstone(id)],
        }),
      );
      return true;
    } catch (error) {
      if (cancellationCodes(error)?.[0] !== "ConditionalCheckFailed") throw error;
      if (precondition) throw preconditionFailed();
      return false;
    }
  }

  async #updateSummary(id: number, fields: SummaryChanges, time: string): Promise<Post | undefined> {
    const [{ Attributes: item = {} }, content] = await Promise.all([
      this.#client.send(new UpdateCommand({ ...this.#change(id, fields, time), ReturnValues: "ALL_NEW" })),
      this.#items.content(id),
    ]);
    const [post] = await this.#items.join([summaryOf(item)], content ? [content] : []);
    return post;
  }

  async #updateBoth(
    id: number,
    fields: SummaryChanges,
    content: string,
    time: string,
  ): Promise<Post | undefined> {
    const version = crypto.randomUUID();
    await this.#client.send(
      new TransactWriteCommand({
        TransactItems: [
          { Update: this.#change(id, { ...fields, version }, time) },
          putContent(this.#table, id, content, version),
        ],
      }),
    );
    const summary = await this.#items.summary(id);
    const [post] = await this.#items.join(summary ? [summary] : [], [{ id, content, version }]);
    return post;
  }

  /**
   * The update of a summary that exists and was not changed after `time`.
   *
   * @param seen what it has to be still, where that matters
   */
  #change(id: number, fields: SummaryChanges, time: string, seen?: PostSummary) {
    const condition = seen && unchanged(edited(seen));
    const changes = Object.entries({ ...fields, updated_at: time }).filter(
      ([, value]) => value !== undefined,
    );
    return {
      TableName: this.#table,
      Key: recordKey(id),
      ConditionExpression: ["attribute_exists(pk) AND updated_at <= :time", condition?.ConditionExpression]
        .filter((each) => each !== undefined)
        .join(" AND "),
      UpdateExpression: `SET ${changes.map((_, i) => `#f${i} = :f${i}`).join(", ")}`,
      ExpressionAttributeNames: {
        ...condition?.ExpressionAttributeNames,
        ...Object.fromEntries(changes.map(([name], i) => [`#f${i}`, name])),
      },
      ExpressionAttributeValues: {
        ":time": time,
        ...condition?.ExpressionAttributeValues,
        ...Object.fromEntries(changes.map(([, value], i) => [`:f${i}`, value])),
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    };
  }

  async #updateExpected(
    id: number,
    { content, ...fields }: PostChanges,
    precondition: Precondition<Post>,
  ): Promise<Post | undefined> {
    const seen = await this.#items.readConsistent(id);
    if (seen === undefined) return undefined;
    const post = toPost(seen.summary, seen.content);
    precondition(post);
    const time = new Date(Math.max(this.#now().getTime(), Date.parse(post.updated_at))).toISOString();
    const version = content === undefined ? undefined : crypto.randomUUID();
    const Update = this.#change(id, { ...fields, version }, time, seen.summary);
    const contents = version && content ? [putContent(this.#table, id, content, version)] : [];
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems: [{ Update }, ...contents] }));
    } catch (error) {
      if (cancellationCodes(error)?.[0] === "ConditionalCheckFailed") throw preconditionFailed();
      throw error;
    }
    const given = Object.entries({ ...fields, content }).filter(([, value]) => value !== undefined);
    return { ...post, ...Object.fromEntries(given), updated_at: time };
  }

  /** The condition that a post, of this author where one is given, is still what it is now. */
  async #expected(id: number, precondition: Precondition<Post>, author: number | undefined) {
    const seen = await this.#items.readConsistent(id);
    if (seen === undefined || (author !== undefined && seen.summary.author_id !== author)) return undefined;
    precondition(toPost(seen.summary, seen.content));
    return unchanged(edited(seen.summary));
  }
}

/** What an edit changes of a summary; the version stands for the content. */
function edited({ title, status, tags, updated_at, version }: PostSummary) {
  return { title, status, tags, updated_at, version };
}

function conditionOf(author: number | undefined) {
  return author === undefined
    ? { ConditionExpression: "attribute_exists(pk)" }
    : { ConditionExpression: "author_id = :author", ExpressionAttributeValues: { ":author": author } };
}

/** The content of a post, to be written together with its summary. */
export function putContent(table: string, id: number, content: string, version: string): TransactionItem {
  return { Put: { TableName: table, Item: { ...contentKeyOf(id), content, version } } };
}

/**
 * Refuses a content that is larger than an item can be.
 *
 * @throws ApiError `ValidationError`
 */
export function refuseOversize(content: string): void {
  const key = { pk: `content#${"0".repeat(16)}`, sk: Number.MAX_SAFE_INTEGER };
  if (itemSize({ ...key, content, version: crypto.randomUUID() }) > MAX_ITEM_BYTES) {
    throw validationError([
      {
        field: "body.content",
        message: "The content is larger than the 400 KB that a post can hold",
        type: "too_big",
      },
    ]);
  }
}
