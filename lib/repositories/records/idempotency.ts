import { hash } from "node:crypto";
import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { type IdempotencyContext, idempotencyKeyReused } from "../../domain/idempotency.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import type { TransactionItem } from "./id-allocation.ts";

/** How long a key is remembered, in seconds: a day. */
const LIFETIME = 24 * 60 * 60;

/**
 * The idempotency keys of one table. A key is entered in the very transaction that creates what it was sent for,
 * so that neither is there without the other. What is kept is what the service has added to the request, such as
 * the id: the rest of the answer comes from the request again, which is the same one (docs/adr/0010).
 *
 * Keys lie in partitions of their own, under a hash, and go by the table's time to live (`expires_at`); until
 * that has come by, their age is looked at.
 */
export class Idempotency {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #sortKey: number | string;

  /**
   * @param client from `documentClient`
   * @param table the table's name
   * @param sortKey of the keys: any value of the table's sort key's type
   */
  constructor(client: DynamoDBDocumentClient, table: string, sortKey: number | string = 0) {
    this.#client = client;
    this.#table = table;
    this.#sortKey = sortKey;
  }

  /**
   * What an earlier request with the key has made. One call.
   *
   * @returns what was entered with it; undefined when the key is new or older than a day
   * @throws ApiError `ValidationError` when the key was sent with another request
   * @throws ApiError `ServiceUnavailable`
   */
  async find(idempotency: IdempotencyContext): Promise<StoredItem | undefined> {
    const { Item: entry } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: this.keyOf(idempotency), ConsistentRead: true }),
    );
    if (entry === undefined || Number(entry.expires_at) <= secondsOf(idempotency.receivedAt))
      return undefined;
    if (entry.request !== idempotency.requestHash) throw idempotencyKeyReused();
    return entry.made as StoredItem;
  }

  /**
   * The entry of a key, to be put in the transaction that creates what it was sent for. It fails its condition
   * when another request has entered the key.
   *
   * @param made what the service adds to the request
   */
  entry(idempotency: IdempotencyContext, made: StoredItem): TransactionItem {
    return {
      Put: {
        ...this.#put(idempotency, made),
        ConditionExpression: "attribute_not_exists(pk) OR expires_at <= :now",
        ExpressionAttributeValues: { ":now": secondsOf(idempotency.receivedAt) },
      },
    };
  }

  /** The entry of a key that the same request has entered before. */
  replacement(idempotency: IdempotencyContext, made: StoredItem): TransactionItem {
    return { Put: this.#put(idempotency, made) };
  }

  /** Where a key is entered. */
  keyOf({ key }: IdempotencyContext): { pk: string; sk: number | string } {
    return { pk: `key#${hash("sha256", key, "base64url")}`, sk: this.#sortKey };
  }

  #put(idempotency: IdempotencyContext, made: StoredItem) {
    const expires_at = secondsOf(idempotency.receivedAt) + LIFETIME;
    return {
      TableName: this.#table,
      Item: { ...this.keyOf(idempotency), request: idempotency.requestHash, made, expires_at },
    };
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
