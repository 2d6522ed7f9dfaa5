import { hash } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { type IdempotencyContext, idempotencyKeyReused } from "../domain/idempotency.ts";
import { getItem, projection, type StoredItem } from "../dynamodb/query.ts";
import { TableAccess } from "../dynamodb/table-access.ts";
import type { TransactionItem } from "../dynamodb/writes.ts";

const LIFETIME_SECONDS = 24 * 60 * 60;

export const entryAttributes = ["requestHash", "result", "expires_at"];

/** The idempotency keys of one table (docs/adr/0010). An entry has only what the service added to the request. */
export class Idempotency extends TableAccess {
  readonly #sortKey: number | string;

  /** @param sortKey of all entries: any value of the type of the table's sort key */
  constructor(client: DynamoDBClient, table: string, sortKey: number | string = 0) {
    super(client, table);
    this.#sortKey = sortKey;
  }

  /** Undefined if the key is new or over a day old. One call. @throws ApiError `ValidationError` if reused */
  async find(idempotency: IdempotencyContext): Promise<StoredItem | undefined> {
    // Functions that register accounts may not read other attributes (infra/functions.ts).
    const attributes = projection(entryAttributes);
    const entry = await getItem(this.client, this.table, this.keyOf(idempotency), attributes);
    return this.resultOf(entry, idempotency);
  }

  /** Reads the result from an entry. @see find */
  resultOf(entry: StoredItem | undefined, idempotency: IdempotencyContext): StoredItem | undefined {
    if (entry === undefined || Number(entry.expires_at) <= toSeconds(idempotency.receivedAt))
      return undefined;
    if (entry.requestHash !== idempotency.requestHash) throw idempotencyKeyReused();
    return entry.result as StoredItem;
  }

  /** Writes the entry of a new key, in the transaction that creates the record. */
  entry(idempotency: IdempotencyContext, result: StoredItem) {
    const { requestHash, receivedAt } = idempotency;
    const expires_at = toSeconds(receivedAt) + LIFETIME_SECONDS;
    const Item = { ...this.keyOf(idempotency), requestHash, result, expires_at };
    const isFree = {
      ConditionExpression: "attribute_not_exists(pk) OR expires_at <= :now",
      ExpressionAttributeValues: { ":now": toSeconds(receivedAt) },
    };
    return { Put: { TableName: this.table, Item, ...isFree } } satisfies TransactionItem;
  }

  keyOf({ key, scope }: IdempotencyContext): { pk: string; sk: number | string } {
    return {
      pk: `key#${hash("sha256", scope === undefined ? key : JSON.stringify([scope, key]), "base64url")}`,
      sk: this.#sortKey,
    };
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
