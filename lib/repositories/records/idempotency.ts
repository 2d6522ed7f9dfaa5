import { hash } from "node:crypto";
import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { keyReused, type Once } from "../../domain/idempotency.ts";
import type { Item } from "../dynamodb/query.ts";
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
   * @throws Failure `ValidationError` when the key was sent with another request
   * @throws Failure `ServiceUnavailable`
   */
  async find(once: Once): Promise<Item | undefined> {
    const { Item: entry } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: this.keyOf(once), ConsistentRead: true }),
    );
    if (entry === undefined || Number(entry.expires_at) <= secondsOf(once.at)) return undefined;
    if (entry.request !== once.request) throw keyReused();
    return entry.made as Item;
  }

  /**
   * The entry of a key, to be put in the transaction that creates what it was sent for. It fails its condition
   * when another request has entered the key.
   *
   * @param made what the service adds to the request
   */
  entry(once: Once, made: Item): TransactionItem {
    return {
      Put: {
        ...this.#put(once, made),
        ConditionExpression: "attribute_not_exists(pk) OR expires_at <= :now",
        ExpressionAttributeValues: { ":now": secondsOf(once.at) },
      },
    };
  }

  /** The entry of a key that the same request has entered before. */
  replacement(once: Once, made: Item): TransactionItem {
    return { Put: this.#put(once, made) };
  }

  /** Where a key is entered. */
  keyOf({ key }: Once): { pk: string; sk: number | string } {
    return { pk: `key#${hash("sha256", key, "base64url")}`, sk: this.#sortKey };
  }

  #put(once: Once, made: Item) {
    const expires_at = secondsOf(once.at) + LIFETIME;
    return {
      TableName: this.#table,
      Item: { ...this.keyOf(once), request: once.request, made, expires_at },
    };
  }
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
