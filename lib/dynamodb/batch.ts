import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchGetItemCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { ReadBudget } from "../domain/read-budget.ts";
import { admissionOf } from "./admission.ts";
import { fromRawItem, type RawItem, toRawItem } from "./attribute-values.ts";
import { mapConcurrently, projection, type StoredItem, withinBudget } from "./query.ts";

const MAX_BATCH_SIZE = 100;

export type ItemKey = { readonly pk: string; readonly sk: string | number };

interface BatchOptions {
  /** True by default. False costs half, and may miss the writes of the last moments. */
  readonly isConsistent?: boolean;
  readonly attributes?: readonly string[] | undefined;
  readonly budget?: ReadBudget | undefined;
}

/**
 * Reads the items that exist, in no order. One call per hundred different keys, and one for each unprocessed key.
 * @throws ReadBudgetExceeded when the budget is spent
 */
export async function batchGet(
  client: DynamoDBClient,
  table: string,
  keys: readonly ItemKey[],
  { isConsistent = true, attributes, budget }: BatchOptions = {},
): Promise<StoredItem[]> {
  const batches: RawItem[][] = [];
  for (let from = 0; from < keys.length; from += MAX_BATCH_SIZE)
    batches.push(keys.slice(from, from + MAX_BATCH_SIZE).map(toRawItem));
  const selected = attributes && projection(attributes);
  const read = { ...selected, ConsistentRead: isConsistent };
  const ReturnConsumedCapacity = "TOTAL";
  const budgeted = { isConsistent, admission: admissionOf(client, table) };
  const items: RawItem[] = [];
  const unprocessed: RawItem[] = [];
  await mapConcurrently(batches, async (Keys) => {
    const RequestItems = { [table]: { Keys, ...read } };
    const command = new BatchGetItemCommand({ RequestItems, ReturnConsumedCapacity });
    const response = await withinBudget(budget, budgeted, (options) => client.send(command, options));
    items.push(...(response.Responses?.[table] ?? []));
    unprocessed.push(...(response.UnprocessedKeys?.[table]?.Keys ?? []));
  });
  await mapConcurrently(unprocessed, async (Key) => {
    const command = new GetItemCommand({ TableName: table, Key, ...read, ReturnConsumedCapacity });
    const { Item } = await withinBudget(budget, budgeted, (options) => client.send(command, options));
    if (Item) items.push(Item);
  });
  return items.map(fromRawItem);
}
