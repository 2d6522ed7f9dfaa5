import {
  type DynamoDBClient,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from "@aws-sdk/client-dynamodb";
import { ApiError } from "../domain/errors.ts";
import { admissionOf } from "./admission.ts";
import { fromRawItem, type Plain, type RawItem, toRawInput, toRawItem } from "./attribute-values.ts";
import type { ItemKey } from "./batch.ts";
import { cancellationReasons, isErrorNamed, isUncertain, markUncertain } from "./client.ts";
import type { StoredItem } from "./query.ts";

export interface UpdateResult {
  readonly isDone: boolean;
  /** After the update, or as it failed the condition; empty if there is none. */
  readonly item: StoredItem;
  /** An attempt got no response: it may have taken effect as well, or may still do so. */
  readonly isUncertain: boolean;
}

/** One call. @throws ApiError `ServiceUnavailable`; `isUncertain` says whether it may have taken effect */
export async function updateItem(
  client: DynamoDBClient,
  update: Plain<Omit<UpdateItemCommandInput, "ReturnValues" | "ReturnValuesOnConditionCheckFailure">>,
): Promise<UpdateResult> {
  const command = new UpdateItemCommand({
    ...toRawInput(update),
    ReturnValues: "ALL_NEW",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    const output = await client.send(command);
    return { isDone: true, item: fromRawItem(output.Attributes ?? {}), isUncertain: isUncertain(output) };
  } catch (error) {
    if (!isErrorNamed(error, "ConditionalCheckFailedException")) throw error;
    const { Item = {} } = error as { readonly Item?: RawItem };
    return { isDone: false, item: fromRawItem(Item), isUncertain: isUncertain(error) };
  }
}

export type TransactionItem = {
  [K in keyof TransactWriteItem]: Plain<NonNullable<TransactWriteItem[K]>>;
};

/** Reads items at the same moment, at twice the price; undefined for those that do not exist. One call. */
export async function transactGet(client: DynamoDBClient, TableName: string, keys: readonly ItemKey[]) {
  const TransactItems = keys.map((key) => ({ Get: { TableName, Key: toRawItem(key) } }));
  const { Responses = [] } = await client.send(new TransactGetItemsCommand({ TransactItems }));
  return Responses.map(({ Item }) => Item && fromRawItem(Item));
}

export type TransactionParts<Name extends string> = Readonly<
  Record<Name, TransactionItem | readonly TransactionItem[] | undefined>
>;

/**
 * Writes all items, or none, at twice the price of plain writes. One call, and one more if an attempt was not
 * answered: the outcome is known then, and no late attempt can change it (docs/writes.md).
 * @returns the parts whose conditions failed, with the item if the write asks for it
 * @throws ApiError `ServiceUnavailable`. Nothing is written then, unless `isUncertain`
 */
export async function transact<Name extends string>(
  client: DynamoDBClient,
  parts: TransactionParts<Name>,
): Promise<ReadonlyMap<Name, StoredItem | undefined>> {
  const TransactItems: TransactWriteItem[] = [];
  const names: Name[] = [];
  for (const name in parts)
    for (const item of [parts[name] ?? []].flat() as TransactionItem[]) {
      TransactItems.push(toRawWrite(item));
      names.push(name);
    }
  const ClientRequestToken = crypto.randomUUID();
  try {
    const ReturnConsumedCapacity = "TOTAL";
    const write = { ClientRequestToken, TransactItems, ReturnConsumedCapacity } as const;
    const { ConsumedCapacity = [] } = await client.send(new TransactWriteItemsCommand(write));
    for (const { TableName = "", CapacityUnits = 0 } of ConsumedCapacity)
      admissionOf(client, TableName, "writes")?.take(CapacityUnits);
    return new Map();
  } catch (error) {
    if (isUncertain(error)) {
      if (await wasCommitted(client, ClientRequestToken, TransactItems)) return new Map();
      markUncertain(error as Error, false);
    }
    return refusedParts(error, TransactItems, names);
  }
}

function toRawWrite(write: TransactionItem): TransactWriteItem {
  return Object.fromEntries(Object.entries(write).map(([kind, input]) => [kind, toRawInput<object>(input)]));
}

/** The parts whose conditions failed. @throws the error, if none has */
function refusedParts<Name>(error: unknown, items: readonly TransactWriteItem[], names: readonly Name[]) {
  const refused = new Map<Name, StoredItem | undefined>();
  for (const [i, { Code, Item }] of (cancellationReasons(error) ?? []).entries()) {
    if (Code === "ValidationError") throw damagedItem(items[i] ?? {}, error);
    // The SDK passes it as DynamoDB's JSON.
    if (Code === "ConditionalCheckFailed") refused.set(names[i] as Name, Item && fromRawItem(Item));
  }
  if (refused.size === 0) throw error;
  return refused;
}

/** Sends another transaction with the same token, which is refused if the first one was committed, or ends it. */
async function wasCommitted(
  client: DynamoDBClient,
  ClientRequestToken: string,
  [{ Put, ...other } = {}]: readonly TransactWriteItem[],
): Promise<boolean> {
  const { Update, Delete = Update, ConditionCheck = Delete } = other;
  const TableName = (Put ?? ConditionCheck)?.TableName;
  const { pk, sk } = Put?.Item ?? ConditionCheck?.Key ?? {};
  const Key = { pk, sk } as RawItem;
  const ConditionExpression = "attribute_exists(pk) OR attribute_not_exists(pk)";
  const TransactItems = [{ ConditionCheck: { TableName, Key, ConditionExpression } }];
  try {
    await client.send(new TransactWriteItemsCommand({ ClientRequestToken, TransactItems }));
    return false;
  } catch (error) {
    if (isErrorNamed(error, "IdempotentParameterMismatchException")) return true;
    throw markUncertain(error as Error);
  }
}

/** For a write that a damaged item prevents, until the daily repair. */
function damagedItem({ Update, Put, Delete }: TransactWriteItem, cause: unknown): ApiError {
  const { pk, sk } = fromRawItem(Update?.Key ?? Put?.Item ?? Delete?.Key ?? {});
  const message = `The stored item ${pk} ${sk} is damaged; a daily job repairs it`;
  return new ApiError("ServiceUnavailable", message, { cause, retryAfterSeconds: 3_600 });
}
