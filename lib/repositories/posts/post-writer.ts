import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { unavailable } from "../../aws.ts";
import type { Post } from "../../validators/post.ts";
import { cancellationCodes } from "../dynamodb/client.ts";
import {
  allOf,
  type Condition,
  conditionFailureItem,
  itemExists,
  itemIsAbsent,
  unchanged,
  updateOf,
} from "../dynamodb/expressions.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { bodyKey, divide, hasBody, hasNoBody, writeBody } from "../records/bodies.ts";
import { IdAllocation } from "../records/id-allocation.ts";
import { recordKey } from "../records/id-blocks.ts";
import {
  areTagsInContent,
  contentBody,
  contentKey,
  decodeSummary,
  type PostChanges,
  type PostSummary,
  tagKeys,
} from "./post-items.ts";

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
    const { tags, ...withoutTags } = summary;
    const tagsInContent = areTagsInContent(summary);
    const stored = tagsInContent ? withoutTags : summary;
    const summaryItem = { ...recordKey(id), ...stored, version, viewId: "" };
    const contentItem = { ...contentKey(id), content, version, ...(tagsInContent && { tags }) };
    const divided = divide(contentItem, contentBody);
    await this.#client.send(
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName: this.#table, Item: summaryItem, ...itemIsAbsent } },
          { Put: { TableName: this.#table, Item: divided.head } },
          ...(idempotencyEntry ? [idempotencyEntry] : []),
          ...this.#tagChanges(id, { from: [], to: tags }),
          ...writeBody(this.#table, id, divided, false),
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
   * @param tagsInContent whether the tags are stored with the content; then tags and content have to be given
   * @param condition of the summary
   * @throws TransactionCanceledException with the current summary item when the condition fails
   */
  async update(
    id: number,
    { content, tags, ...fields }: PostChanges,
    {
      version,
      time,
      condition,
      storedTags = [],
      tagsInContent = false,
    }: {
      readonly version: string;
      readonly time: string;
      readonly condition: Condition;
      readonly storedTags?: readonly string[] | undefined;
      readonly tagsInContent?: boolean;
    },
  ): Promise<void> {
    const edits = { ...fields, ...(!tagsInContent && { tags }), updated_at: time };
    const tagChanges = this.#tagChanges(id, { from: storedTags, to: tags ?? storedTags });
    if (content === undefined)
      return this.#transact([{ Update: this.#summaryUpdate(id, edits, condition) }, ...tagChanges]);
    const contentItem = { ...contentKey(id), content, version, ...(tagsInContent && { tags }) };
    const divided = divide(contentItem, contentBody);
    const summary = { Update: this.#summaryUpdate(id, { ...edits, version }, condition) };
    await this.#writeContent(divided.body !== undefined, (hadBody, isForm) => [
      summary,
      { Update: this.#contentUpdate(id, divided.head, isForm) },
      ...writeBody(this.#table, id, divided, hadBody),
      ...tagChanges,
    ]);
  }

  /**
   * Deletes the items of a post and marks the id as deleted. One call, and another one if the content has a body.
   *
   * @param tags the current tags
   * @param condition of the summary, which must contain the tags
   * @returns false when the condition fails
   */
  async remove(id: number, tags: readonly string[], condition: Condition): Promise<boolean> {
    try {
      await this.#writeContent(false, (hadBody, isForm) => [
        { Delete: { TableName: this.#table, Key: recordKey(id), ...condition } },
        { Delete: { TableName: this.#table, Key: contentKey(id), ...isForm } },
        ...this.#ids.tombstone(id),
        ...(hadBody ? [{ Delete: { TableName: this.#table, Key: bodyKey(id) } }] : []),
        ...this.#tagChanges(id, { from: tags, to: [] }),
      ]);
      return true;
    } catch (error) {
      if (conditionFailureItem(error)) return false;
      throw error;
    }
  }

  /**
   * Writes a content that may have a body. One call, and another one if it has a body and `isAnyForm` is false.
   *
   * @param isAnyForm whether the transaction is the same for a content with a body
   * @param itemsOf the transaction for a content with or without a body: the summary's write, then the content's, which
   *   requires it to have that form
   */
  async #writeContent(
    isAnyForm: boolean,
    itemsOf: (hadBody: boolean, isForm: Condition) => TransactionItem[],
  ): Promise<void> {
    if (isAnyForm) return this.#transact(itemsOf(true, itemExists));
    // Again in turn, since a concurrent change may have given the content the other form.
    for (const hadBody of [false, true, false, true, false]) {
      try {
        return await this.#transact(itemsOf(hadBody, allOf(itemExists, hadBody ? hasBody : hasNoBody)));
      } catch (error) {
        const [summary, content] = cancellationCodes(error) ?? [];
        if (summary !== "None" || content !== "ConditionalCheckFailed") throw error;
      }
    }
    throw unavailable("The post", undefined);
  }

  async #transact(items: TransactionItem[]): Promise<void> {
    await this.#client.send(new TransactWriteCommand({ TransactItems: items }));
  }

  /** The content is updated, not replaced: that keeps attributes which this code does not know. */
  #contentUpdate(id: number, { pk: _, sk: __, ...attributes }: StoredItem, condition: Condition) {
    const removed = ["content", "tags", "body", "bodyBytes"].filter((name) => !(name in attributes));
    return { TableName: this.#table, Key: contentKey(id), ...updateOf(attributes, condition, removed) };
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

/**
 * The condition that a post exists and was not changed after a time.
 *
 * @param tags when given, the summary has these; when null, any
 */
export function unchangedAfter(time: string, tags: readonly string[] | null | undefined): Condition {
  const isOlder = {
    ConditionExpression: "updated_at <= :time",
    ExpressionAttributeValues: { ":time": time },
  };
  if (tags === undefined) return isOlder;
  return allOf(
    isOlder,
    tags === null ? { ConditionExpression: "attribute_exists(tags)" } : unchanged({ tags }),
  );
}

/** The condition that a post was not edited since it was read; views do not count. */
export function unedited({ title, status, tags, updated_at, version }: PostSummary): Condition {
  return unchanged({ title, status, tags, updated_at, version });
}
