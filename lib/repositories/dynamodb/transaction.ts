import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { cancellationCodes } from "./client.ts";

/** One write or condition check of a transaction. */
export type TransactionItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/**
 * Writes all items, or none if the condition of the first one fails.
 *
 * Also used for single items, at twice the price of a plain write: DynamoDB recognizes a repeated attempt whose
 * first response was lost, so that its condition is not checked against its own effect.
 *
 * @returns false if the condition of the first item failed
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
