import { type DynamoDBDocumentClient, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { DamagedRecord } from "../../domain/errors.ts";
import { isErrorNamed } from "../dynamodb/client.ts";
import { allOf, type Condition, conditionFailureItem, unchanged } from "../dynamodb/expressions.ts";
import { recordKey } from "../records/id-blocks.ts";
import { decodeSummary, type PostSummary } from "./post-items.ts";
import type { PostReader } from "./post-reader.ts";

/**
 * Counts the views of posts.
 *
 * A summary stores the id of the last counted view (`viewId`), so that a repeated attempt whose first response was
 * lost does not count twice. Limit: it does count twice if another view was counted between the attempts (up to 3 %
 * more views if 5 % of all responses are lost). A transaction would prevent that at twice the price of each view; the
 * API's document says that the count is approximate.
 */
export class ViewCounter {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #reader: PostReader;

  constructor(client: DynamoDBDocumentClient, table: string, reader: PostReader) {
    this.#client = client;
    this.#table = table;
    this.#reader = reader;
  }

  /**
   * Counts a view. One call and one write unit, however long the content is.
   *
   * @param viewId a new id, by which `undo` finds the view
   * @param condition only a post that meets it is counted
   * @returns the summary with this view, or undefined when no such post exists
   * @throws ApiError `ServiceUnavailable`; then it is unknown whether the view was counted
   */
  async count(id: number, viewId: string, condition: Condition): Promise<PostSummary | undefined> {
    try {
      return await this.#add(id, 1, viewId, condition);
    } catch (error) {
      // No other value of the update can be invalid.
      if (isErrorNamed(error, "ValidationException")) throw new DamagedRecord(id, "view_count");
      const current = conditionFailureItem(error);
      if (current === undefined) throw error;
      const isCounted = current.viewId?.S === viewId;
      if (!isCounted) return undefined;
      const summary = await this.#reader.summaries.get(id);
      return summary && { ...summary, view_count: Number(current.view_count?.N) };
    }
  }

  /**
   * Removes the view of a failed read, if it was the last counted one. It ignores its own failure: the caller reports
   * the read's.
   */
  async undo(id: number, viewId: string): Promise<void> {
    await Promise.allSettled([this.#add(id, -1, crypto.randomUUID(), unchanged({ viewId }))]);
  }

  /** @param viewId a repeated attempt fails, since the summary has it already */
  async #add(id: number, change: number, viewId: string, condition: Condition): Promise<PostSummary> {
    const isNew = {
      ConditionExpression: "viewId <> :viewId",
      ExpressionAttributeValues: { ":viewId": viewId, ":change": change },
    };
    const { Attributes: item = {} } = await this.#client.send(
      new UpdateCommand({
        TableName: this.#table,
        Key: recordKey(id),
        UpdateExpression: "SET viewId = :viewId ADD view_count :change",
        ...allOf(condition, isNew),
        ReturnValues: "ALL_NEW",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      }),
    );
    return decodeSummary(item);
  }
}
