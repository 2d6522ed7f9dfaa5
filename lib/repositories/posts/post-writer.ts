import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Post } from "../../validators/post.ts";
import {
  allOf,
  type Condition,
  itemExists,
  itemIsAbsent,
  unchanged,
  updateOf,
} from "../dynamodb/expressions.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import { type TransactionItem, transactWrite } from "../dynamodb/transaction.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import { recordKey } from "../records/id-blocks.ts";
import { contentKey, decodeSummary, type PostChanges, type PostSummary, tagKeys } from "./post-items.ts";

/** Writes the items of posts. Each method is one call. */
export class PostWriter {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #ids: IdAllocation;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#ids = new IdAllocation(client, table);
  }

  /**
   * Writes the items of a new post.
   *
   * @param idempotencyEntry the third item of the transaction, after summary and content
   * @throws TransactionCanceledException when the id is in use or the entry's condition fails
   */
  async create(
    { id, ...fields }: Post,
    version: string,
    idempotencyEntry: TransactionItem | undefined,
  ): Promise<void> {
    const { content, ...summary } = fields;
    const summaryItem = { ...recordKey(id), ...summary, version, viewId: "" };
    const contentItem = { ...contentKey(id), content, version };
    await this.#client.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: this.#table, Item: summaryItem, ...itemIsAbsent } },
          { Put: { TableName: this.#table, Item: contentItem } },
          ...(idempotencyEntry ? [idempotencyEntry] : []),
          ...this.#tagChanges(id, { from: [], to: summary.tags }),
        ],
      }),
    );
  }

  /**
   * Updates the summary alone.
   *
   * @throws ConditionalCheckFailedException with the current item
   */
  async updateSummary(
    id: number,
    { content: _, ...fields }: PostChanges,
    time: string,
    condition: Condition,
  ): Promise<PostSummary> {
    const update = this.#summaryUpdate(id, { ...fields, updated_at: time }, condition);
    const { Attributes: item = {} } = await this.#client.send(
      new UpdateCommand({ ...update, ReturnValues: "ALL_NEW" }),
    );
    return decodeSummary(item);
  }

  /**
   * Updates the summary and, if they change, the content and the tag entries in one transaction.
   *
   * @param version of the new content
   * @param storedTags the current tags, which the condition must contain; needed if the tags change
   * @param condition of the summary
   * @throws TransactionCanceledException with the current summary item when the condition fails
   */
  async update(
    id: number,
    { content, ...fields }: PostChanges,
    {
      version,
      time,
      condition,
      storedTags = [],
    }: {
      readonly version: string;
      readonly time: string;
      readonly condition: Condition;
      readonly storedTags?: readonly string[] | undefined;
    },
  ): Promise<void> {
    const edits = { ...fields, updated_at: time };
    // The content is updated, not replaced: that keeps attributes which this code does not know.
    const contentUpdate = {
      TableName: this.#table,
      Key: contentKey(id),
      ...updateOf({ content, version }, itemExists),
    };
    const items: TransactionItem[] =
      content === undefined
        ? [{ Update: this.#summaryUpdate(id, edits, condition) }]
        : [{ Update: this.#summaryUpdate(id, { ...edits, version }, condition) }, { Update: contentUpdate }];
    const tagChanges = this.#tagChanges(id, { from: storedTags, to: fields.tags ?? storedTags });
    await this.#client.send(new TransactWriteCommand({ TransactItems: [...items, ...tagChanges] }));
  }

  /**
   * Deletes the items of a post and marks the id as deleted.
   *
   * @param tags the current tags
   * @param condition of the summary, which must contain the tags
   * @returns false when the condition fails
   */
  async remove(id: number, tags: readonly string[], condition: Condition): Promise<boolean> {
    return transactWrite(this.#client, [
      { Delete: { TableName: this.#table, Key: recordKey(id), ...condition } },
      { Delete: { TableName: this.#table, Key: contentKey(id) } },
      ...this.#ids.tombstone(id),
      ...this.#tagChanges(id, { from: tags, to: [] }),
    ]);
  }

  #tagChanges(
    id: number,
    { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
  ): TransactionItem[] {
    const TableName = this.#table;
    const removed = from.filter((tag) => !to.includes(tag));
    const added = to.filter((tag) => !from.includes(tag));
    return [
      ...tagKeys(id, removed).map((Key) => ({ Delete: { TableName, Key } })),
      ...tagKeys(id, added).map((Item) => ({ Put: { TableName, Item } })),
    ];
  }

  #summaryUpdate(id: number, changes: StoredItem, condition: Condition) {
    return {
      TableName: this.#table,
      Key: recordKey(id),
      ...updateOf(changes, condition),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
    };
  }
}

/** The condition that a post exists and, when given, has this author. */
export function writtenBy(author: number | undefined): Condition {
  return author === undefined ? itemExists : unchanged({ author_id: author });
}

/** The condition that a post exists, was not changed after a time and, when given, has these tags. */
export function unchangedAfter(time: string, tags?: readonly string[]): Condition {
  const isOlder = {
    ConditionExpression: "updated_at <= :time",
    ExpressionAttributeValues: { ":time": time },
  };
  return tags === undefined ? isOlder : allOf(isOlder, unchanged({ tags }));
}

/** The condition that a post was not edited since it was read; views do not count. */
export function unedited({ title, status, tags, updated_at, version }: PostSummary): Condition {
  return unchanged({ title, status, tags, updated_at, version });
}
