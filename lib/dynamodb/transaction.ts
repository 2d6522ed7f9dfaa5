import {
  type DynamoDBDocumentClient,
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../domain/errors.ts";
import { admissionOf } from "./admission.ts";
import type { ItemKey } from "./batch.ts";
import { cancellationCodes } from "./client.ts";
import type { StoredItem } from "./query.ts";

export type TransactionItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** Reads items at the same moment, at twice the price; undefined for those that do not exist. One call. */
export async function transactGet(
  client: DynamoDBDocumentClient,
  TableName: string,
  keys: readonly ItemKey[],
): Promise<(StoredItem | undefined)[]> {
  const TransactItems = keys.map((Key) => ({ Get: { TableName, Key: { ...Key } } }));
  const { Responses = [] } = await client.send(new TransactGetCommand({ TransactItems }));
  return Responses.map(({ Item }) => Item);
}

export type TransactionParts<Name extends string> = Readonly<
  Record<Name, TransactionItem | readonly TransactionItem[] | undefined>
>;

/**
 * Writes all items, or none, at twice the price of plain writes. One call.
 *
 * @param token unique for the transaction; DynamoDB does not repeat one within ten minutes
 * @returns the parts whose conditions failed; none if the transaction was committed
 * @throws ApiError `ServiceUnavailable`, also if a stored value has another type than the write needs
 * @example
 * const refused = await transact(client, { record: put, key: entry });
 * if (refused.has("key")) return replay();
 */
export async function transact<Name extends string>(
  client: DynamoDBDocumentClient,
  parts: TransactionParts<Name>,
  token: string = crypto.randomUUID(),
): Promise<ReadonlySet<Name>> {
  const TransactItems: TransactionItem[] = [];
  const names: Name[] = [];
  for (const name in parts)
    for (const item of [parts[name] ?? []].flat() as TransactionItem[]) {
      TransactItems.push(item);
      names.push(name);
    }
  try {
    const ReturnConsumedCapacity = "TOTAL";
    const write = { ClientRequestToken: token, TransactItems, ReturnConsumedCapacity } as const;
    const { ConsumedCapacity = [] } = await client.send(new TransactWriteCommand(write));
    for (const { TableName = "", CapacityUnits = 0 } of ConsumedCapacity)
      admissionOf(client, TableName, "writes")?.take(CapacityUnits);
    return new Set();
  } catch (error) {
    const codes = cancellationCodes(error) ?? [];
    const damaged = TransactItems[codes.indexOf("ValidationError")];
    if (damaged) throw damagedItem(damaged, error);
    const refused = names.filter((_, i) => codes[i] === "ConditionalCheckFailed");
    if (refused.length === 0) throw error;
    return new Set(refused);
  }
}

/** For a write that a damaged item prevents, until the daily repair. */
function damagedItem({ Update, Put, Delete }: TransactionItem, cause: unknown): ApiError {
  const { pk, sk } = Update?.Key ?? Put?.Item ?? Delete?.Key ?? {};
  const message = `The stored item ${pk} ${sk} is damaged, and repaired once a day`;
  return new ApiError("ServiceUnavailable", message, { cause, retryAfterSeconds: 3_600 });
}
