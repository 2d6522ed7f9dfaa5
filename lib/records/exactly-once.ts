import { randomBytes } from "node:crypto";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { isUncertain, markUncertain } from "../dynamodb/client.ts";
import type { Condition } from "../dynamodb/expressions.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import { type UpdateResult, updateItem } from "../dynamodb/update.ts";

// Plain updates that take effect exactly once, of items that many requests change at the same time: the
// counter of a table, the stock of a product (docs/adr/0026). An update stores its operation, an attribute
// with a unique name, and is refused once the epoch of the item has been raised.

const OPERATION_PREFIX = "@";

export function newOperation(): string {
  return OPERATION_PREFIX + randomBytes(6).toString("base64url");
}

export function operationsOn(item: StoredItem): string[] {
  const operations: string[] = [];
  for (const name in item) if (name.startsWith(OPERATION_PREFIX)) operations.push(name);
  return operations;
}

/** An item without its epoch and operations, which change while the record stays the same. */
export function withoutOperations({ epoch, ...item }: StoredItem): StoredItem {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !name.startsWith(OPERATION_PREFIX)));
}

/** The epoch that an update has to name; 0 before the first. */
export function epochOf(item: StoredItem): number {
  return Number(item.epoch ?? 0);
}

export interface Target {
  readonly TableName: string;
  readonly Key: StoredItem;
  /** When the epoch may be raised: always by default, which creates an item that does not exist. */
  readonly raiseIf?: Condition;
}

/** An update that stores its operation as `#operation`. */
interface ExactlyOnceUpdate extends Partial<Condition> {
  readonly operation: string;
  /** As it was read. If it has been raised since, the update is refused. */
  readonly epoch: number;
  readonly UpdateExpression: string;
}

/**
 * Updates an item exactly once. One call, and one more if an attempt got no response.
 *
 * @returns whether the update took effect, and the item then. If not, no attempt will
 * @throws ApiError `ServiceUnavailable`; the outcome is unknown only if `isUncertain`
 */
export async function updateExactlyOnce(
  client: DynamoDBDocumentClient,
  target: Target,
  { operation, epoch, ...update }: ExactlyOnceUpdate,
): Promise<Omit<UpdateResult, "isUncertain">> {
  const isSameEpoch = epoch === 0 ? "attribute_not_exists(epoch)" : "epoch = :epoch";
  const conditions = [
    "attribute_not_exists(#operation)",
    isSameEpoch,
    update.ConditionExpression ?? [],
  ].flat();
  let result: UpdateResult | undefined;
  let failure: Error | undefined;
  try {
    result = await updateItem(client, {
      TableName: target.TableName,
      Key: target.Key,
      UpdateExpression: update.UpdateExpression,
      ConditionExpression: conditions.join(" AND "),
      ExpressionAttributeNames: { ...update.ExpressionAttributeNames, "#operation": operation },
      ExpressionAttributeValues: {
        ...update.ExpressionAttributeValues,
        ...(epoch !== 0 && { ":epoch": epoch }),
      },
    });
    if (!result.isUncertain) return result;
  } catch (error) {
    if (!isUncertain(error)) throw error;
    failure = error as Error;
  }
  const item = await raiseEpoch(client, target).catch((error: Error) => {
    throw failure ?? markUncertain(error);
  });
  if (result?.isDone) return result;
  const isDone = operation in item;
  if (failure && !isDone) throw markUncertain(failure, false);
  return { isDone, item };
}

/** Refuses all updates of an item that were sent before. One call. @returns the item */
export async function raiseEpoch(
  client: DynamoDBDocumentClient,
  { TableName, Key, raiseIf }: Target,
): Promise<StoredItem> {
  const { item } = await updateItem(client, {
    TableName,
    Key,
    ...raiseIf,
    UpdateExpression: "ADD epoch :one",
    ExpressionAttributeValues: { ...raiseIf?.ExpressionAttributeValues, ":one": 1 },
  });
  return item;
}
