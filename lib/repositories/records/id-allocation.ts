import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { cancellationCodes, isErrorNamed } from "../dynamodb/client.ts";
import { itemIsAbsent } from "../dynamodb/expressions.ts";
import { queryRange } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { type AllocatedIds, bitmapOf, tombstoneBit } from "./id-blocks.ts";

/** The partition of the counter and of the bitmaps of deleted ids. */
const PARTITION = "ids";
/** The key of the counter; it sorts before every bitmap. */
export const COUNTER_KEY = { pk: PARTITION, sk: -1 };

/** The key of a block's bitmap of deleted ids. */
export function bitmapKey(block: number): { pk: string; sk: number } {
  return { pk: PARTITION, sk: block };
}

/**
 * The ids of one table: an atomic counter allocates 1, 2, 3, …, and a bitmap for each block of 1,000 ids marks
 * those that name no record any more (docs/adr/0003).
 */
export class IdAllocation {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Allocates the next id. One call.
   *
   * @throws ApiError `ServiceUnavailable`
   */
  async allocate(): Promise<number> {
    const { last } = await this.#increment(crypto.randomUUID());
    // Without a timestamp the condition can only fail if our own earlier attempt succeeded.
    return Number(last);
  }

  /**
   * Allocates the next id together with a timestamp that is not before that of a smaller id. One call, and one more
   * each time that the last timestamp came from a clock that is ahead of ours.
   *
   * @param now the time by our clock
   * @returns the id and the timestamp, ISO 8601
   * @throws ApiError `ServiceUnavailable`
   */
  async allocateWithTimestamp(now: Date): Promise<{ id: number; time: string }> {
    const token = crypto.randomUUID();
    let time = now.toISOString();
    for (;;) {
      const { last, allocatedBy, allocatedAt } = await this.#increment(token, time);
      if (allocatedBy === token) return { id: Number(last), time };
      time = String(allocatedAt);
    }
  }

  /**
   * Increments the counter and stores who did it, so that a repeated attempt whose first response was lost finds
   * its id instead of allocating a second one.
   *
   * @returns the counter: incremented, or as it was when the condition failed
   */
  async #increment(token: string, time?: string): Promise<Record<string, unknown>> {
    const isNewAttempt = "attribute_not_exists(allocatedBy) OR";
    try {
      const { Attributes: counter } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: COUNTER_KEY,
          UpdateExpression: `SET allocatedBy = :token${time ? ", allocatedAt = :time" : ""} ADD #last :one`,
          ConditionExpression: `${isNewAttempt} (allocatedBy <> :token${time ? " AND allocatedAt <= :time" : ""})`,
          ExpressionAttributeNames: { "#last": "last" },
          ExpressionAttributeValues: { ":token": token, ":one": 1, ...(time && { ":time": time }) },
          ReturnValues: "ALL_NEW",
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      );
      return counter ?? {};
    } catch (error) {
      if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
      const { Item: counter = {} } = error as { Item?: Record<string, AttributeValue> };
      return {
        last: counter.last?.N,
        allocatedBy: counter.allocatedBy?.S,
        allocatedAt: counter.allocatedAt?.S,
      };
    }
  }

  /**
   * Keeps the ids that are allocated so far from being released and allocated again: a creation that fails from now
   * on marks its id as deleted instead. One call.
   *
   * @returns the last allocated id; 0 before the first
   * @throws ApiError `ServiceUnavailable`
   */
  async raiseFloor(): Promise<number> {
    try {
      const { Attributes: counter } = await this.#client.send(
        new UpdateCommand({
          TableName: this.#table,
          Key: COUNTER_KEY,
          UpdateExpression: "SET #floor = #last",
          ConditionExpression: "attribute_exists(#last)",
          ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
          ReturnValues: "ALL_NEW",
        }),
      );
      return Number(counter?.last);
    } catch (error) {
      if (isErrorNamed(error, "ConditionalCheckFailedException")) return 0;
      throw error;
    }
  }

  /**
   * Ends a creation that failed or whose outcome is unknown: releases its id if it is the last allocated one, and
   * marks it as deleted otherwise.
   *
   * @param id the allocated id
   * @param key the key of its record
   * @returns true if the record exists after all, written by an attempt whose response was lost
   * @throws ApiError `ServiceUnavailable` if the outcome stays unknown; the id stays allocated
   */
  async releaseOrTombstone(id: number, key: Readonly<Record<string, unknown>>): Promise<boolean> {
    const recordIsAbsent: TransactionItem = {
      ConditionCheck: { TableName: this.#table, Key: key, ...itemIsAbsent },
    };
    const release: TransactionItem = {
      Update: {
        TableName: this.#table,
        Key: COUNTER_KEY,
        UpdateExpression: "ADD #last :minusOne",
        ConditionExpression: "#last = :id AND (attribute_not_exists(#floor) OR #floor < :id)",
        ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
        ExpressionAttributeValues: { ":id": id, ":minusOne": -1 },
      },
    };
    for (const end of [release, this.tombstone(id)]) {
      try {
        await this.#client.send(new TransactWriteCommand({ TransactItems: [recordIsAbsent, end] }));
        return false;
      } catch (error) {
        const codes = cancellationCodes(error);
        if (codes === undefined) throw error;
        if (codes[0] === "ConditionalCheckFailed") return true;
      }
    }
    throw new Error(`The id ${id} could neither be released nor be marked as deleted`);
  }

  /**
   * Marks an id as deleted. It belongs in the transaction that deletes the record: done twice, it would corrupt
   * the bitmap.
   */
  tombstone(id: number): TransactionItem {
    const { block, attribute, bit } = tombstoneBit(id);
    return {
      Update: {
        TableName: this.#table,
        Key: bitmapKey(block),
        UpdateExpression: "ADD #word :bit",
        ExpressionAttributeNames: { "#word": attribute },
        ExpressionAttributeValues: { ":bit": bit },
      },
    };
  }

  /**
   * Reads the counter and the bitmaps. One call and a read unit per 4 KB, which is up to 20,000 ids if every block
   * has deletions throughout.
   */
  async read(): Promise<AllocatedIds> {
    const items = await queryRange(
      this.#client,
      this.#table,
      PARTITION,
      COUNTER_KEY.sk,
      Number.MAX_SAFE_INTEGER,
    );
    const counter = items.find((item) => item.sk === COUNTER_KEY.sk);
    const bitmaps = items.filter((item) => item !== counter);
    return {
      last: Number(counter?.last ?? 0),
      deleted: new Map(bitmaps.map((item) => [Number(item.sk), bitmapOf(item)])),
    };
  }
}
