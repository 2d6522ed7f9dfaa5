import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type IdempotencyContext, idempotencyKeyReused } from "../../domain/idempotency.ts";
import type { ItemKey } from "../dynamodb/batch.ts";
import { type Condition, unchanged, updateOf } from "../dynamodb/expressions.ts";
import { getItem, projection, type StoredItem } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { deleteItem, updateItem } from "../dynamodb/update.ts";

const LIFETIME_SECONDS = 24 * 60 * 60;

/** The attributes of an entry, without its key. */
export const entryAttributes = ["requestHash", "result", "expires_at"];

/**
 * The idempotency keys of one table. The entry of a key is written in the transaction that creates the record, so
 * that neither exists without the other. It stores only what the service added to the request, such as the id: the
 * repeated request supplies the rest of the response (docs/adr/0010).
 *
 * Each key has a partition of its own, named by a hash. DynamoDB deletes entries some time after `expires_at`, so
 * readers compare it with the time of the request.
 */
export class Idempotency {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #sortKey: number | string;

  /** @param sortKey of all entries: any value of the type of the table's sort key */
  constructor(client: DynamoDBDocumentClient, table: string, sortKey: number | string = 0) {
    this.#client = client;
    this.#table = table;
    this.#sortKey = sortKey;
  }

  /**
   * Finds the result of an earlier request with the key. One call.
   *
   * @returns the result stored in the entry; undefined if the key is new or older than a day
   * @throws ApiError `ValidationError` if the key was sent with another request
   */
  async find(idempotency: IdempotencyContext): Promise<StoredItem | undefined> {
    // Functions that register accounts may not read other attributes (infra/functions.ts).
    const attributes = projection(entryAttributes);
    const entry = await getItem(this.#client, this.#table, this.keyOf(idempotency), attributes);
    return this.resultOf(entry, idempotency);
  }

  /** Reads the result in the entry of a key, which was read with other items. @see find */
  resultOf(entry: StoredItem | undefined, idempotency: IdempotencyContext): StoredItem | undefined {
    if (entry === undefined || Number(entry.expires_at) <= toSeconds(idempotency.receivedAt))
      return undefined;
    if (entry.requestHash !== idempotency.requestHash) throw idempotencyKeyReused();
    return entry.result as StoredItem;
  }

  /**
   * Writes the entry of a new key, in the transaction that creates the record. Its condition fails if another request
   * has written it.
   */
  entry(idempotency: IdempotencyContext, result: StoredItem): TransactionItem {
    return {
      Put: {
        ...this.#put(idempotency, result),
        ...isFree(idempotency),
      },
    };
  }

  /**
   * Writes the entry of a new key while its request is being processed. One call.
   *
   * @param claim unique for this attempt at the request
   * @returns false if another request has the key
   */
  async claim(idempotency: IdempotencyContext, claim: StoredItem): Promise<boolean> {
    const { Item, ...put } = this.#put(idempotency, claim);
    const { pk, sk, ...fields } = Item;
    const { isDone, item } = await updateItem(this.#client, {
      ...put,
      Key: { pk, sk },
      ...updateOf(fields, isFree(idempotency)),
    });
    return isDone || isDeepStrictEqual(item.result, claim);
  }

  /** Deletes the entry of a key, if it still is what a request has claimed. One call. */
  async unclaim(key: ItemKey, claim: StoredItem): Promise<void> {
    await deleteItem(this.#client, {
      TableName: this.#table,
      Key: { ...key },
      ...unchanged({ result: claim }),
    });
  }

  /** Overwrites the entry that the same request has claimed. */
  replacement(idempotency: IdempotencyContext, result: StoredItem): TransactionItem {
    return { Put: this.#put(idempotency, result) };
  }

  keyOf({ key }: IdempotencyContext): { pk: string; sk: number | string } {
    return { pk: `key#${hash("sha256", key, "base64url")}`, sk: this.#sortKey };
  }

  #put(idempotency: IdempotencyContext, result: StoredItem) {
    const expires_at = toSeconds(idempotency.receivedAt) + LIFETIME_SECONDS;
    return {
      TableName: this.#table,
      Item: { ...this.keyOf(idempotency), requestHash: idempotency.requestHash, result, expires_at },
    };
  }
}

/** The condition that no request has the key. */
function isFree({ receivedAt }: IdempotencyContext): Condition {
  return {
    ConditionExpression: "attribute_not_exists(pk) OR expires_at <= :now",
    ExpressionAttributeValues: { ":now": toSeconds(receivedAt) },
  };
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
