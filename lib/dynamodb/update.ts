import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import {
  DeleteCommand,
  type DeleteCommandInput,
  type DynamoDBDocumentClient,
  UpdateCommand,
  type UpdateCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { isErrorNamed, isUncertain } from "./client.ts";
import { fromRawItem, type StoredItem } from "./query.ts";

export interface UpdateResult {
  /** False if the condition failed. */
  readonly isDone: boolean;
  /** After the update, or as it failed the condition; empty if there is none. */
  readonly item: StoredItem;
  /** An attempt got no response: it may have taken effect as well, or may still do so. */
  readonly isUncertain: boolean;
}

/** One call. @throws ApiError `ServiceUnavailable`; `isUncertain` says whether it may have taken effect */
export async function updateItem(
  client: DynamoDBDocumentClient,
  update: Omit<UpdateCommandInput, "ReturnValues" | "ReturnValuesOnConditionCheckFailure">,
): Promise<UpdateResult> {
  const command = new UpdateCommand({
    ...update,
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    const output = await client.send(command);
    return { isDone: true, item: output.Attributes ?? {}, isUncertain: isUncertain(output) };
  } catch (error) {
    if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
    // The SDK passes it as DynamoDB's JSON.
    const { Item = {} } = error as { readonly Item?: Record<string, AttributeValue> };
    return { isDone: false, item: fromRawItem(Item), isUncertain: isUncertain(error) };
  }
}

/** Deletes an item, unless it fails the condition. One call. @throws ApiError `ServiceUnavailable` */
export async function deleteItem(
  client: DynamoDBDocumentClient,
  deletion: DeleteCommandInput,
): Promise<void> {
  try {
    await client.send(new DeleteCommand(deletion));
  } catch (error) {
    if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
  }
}
