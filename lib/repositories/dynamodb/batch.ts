import { BatchGetItemCommand, GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { ReadBudget } from "../../domain/read-budget.ts";
import {
  fromRawItem,
  mapConcurrently,
  projection,
  type StoredItem,
  toRawKey,
  withinBudget,
} from "./query.ts";

const MAX_BATCH_SIZE = 100;

export interface ItemKey {
  readonly pk: string;
  readonly sk: string | number;
}

interface BatchOptions {
  /** False costs half, and may miss the writes of the last moments; true by default. */
  readonly isConsistent?: boolean;
  readonly attributes?: readonly string[] | undefined;
  readonly budget?: ReadBudget | undefined;
}

/**
 * Reads items by their keys, strongly consistent by default. One call per hundred, and one for each key that a response
 * leaves unprocessed, because of throttling or beyond 16 MB: single reads have the SDK's back-off.
 *
 * @param keys each key once
 * @returns the items that exist, in no particular order
 * @throws ReadBudgetExceeded when the budget is spent
 */
export async function batchGet(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly ItemKey[],
  { isConsistent = true, attributes, budget }: BatchOptions = {},
): Promise<StoredItem[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / MAX_BATCH_SIZE) }, (_, i) =>
    keys.slice(i * MAX_BATCH_SIZE, (i + 1) * MAX_BATCH_SIZE).map(toRawKey),
  );
  const selected = attributes && projection(attributes);
  const responses = await mapConcurrently(batches, async (Keys) => {
    const command = new BatchGetItemCommand({
      RequestItems: { [table]: { Keys, ...selected, ConsistentRead: isConsistent } },
      ReturnConsumedCapacity: "TOTAL",
    });
    return withinBudget(budget, isConsistent, (options) => client.send(command, options));
  });
  const unprocessed = responses.flatMap(({ UnprocessedKeys: rest }) => rest?.[table]?.Keys ?? []);
  const single = await mapConcurrently(unprocessed, async (Key) => {
    const command = new GetItemCommand({
      TableName: table,
      Key,
      ...selected,
      ConsistentRead: isConsistent,
      ReturnConsumedCapacity: "TOTAL",
    });
    return (await withinBudget(budget, isConsistent, (options) => client.send(command, options))).Item;
  });
  return [...responses.flatMap(({ Responses: items }) => items?.[table] ?? []), ...single]
    .filter((item) => item !== undefined)
    .map(fromRawItem);
}
