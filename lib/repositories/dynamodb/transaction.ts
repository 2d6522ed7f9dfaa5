import {
  type DynamoDBDocumentClient,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import type { ItemKey } from "./batch.ts";
import { cancellationCodes } from "./client.ts";
import type { StoredItem } from "./query.ts";

export type TransactionItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** Reads items of a table at the same moment, at twice the price; undefined for those that do not exist. */
export async function transactGet(
  client: DynamoDBDocumentClient,
  TableName: string,
  keys: readonly ItemKey[],
): Promise<(StoredItem | undefined)[]> {
  const TransactItems = keys.map((Key) => ({ Get: { TableName, Key: { ...Key } } }));
  const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems }));
  return Responses.map(({ Item }) => Item);
}

/**
 * Writes all items, or none if the condition of the first one fails.
 *
 * Also used for single items, at twice the price of a plain write: DynamoDB recognizes a repeated attempt whose
 * first response was lost, so that its condition is not checked against its own effect.
 *
 * @throws TransactionCanceledException if only the condition of another item failed
 */
export async function transactWrite(
  client: DynamoDBDocumentClient,
  items: TransactionItem[],
): Promise<boolean> {
  try {
    await client.send(new TransactWriteCommand({ TransactItems: items }));
    return true;
  } catch (error) {
    if (cancellationCodes(error)?.[0] === "ConditionalCheckFailed") return false;
    throw error;
  }
}
