import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { mapConcurrently } from "./concurrency.ts";
import type { StoredItem } from "./query.ts";

/** The limit of one BatchGetItem. */
const MAX_BATCH_SIZE = 100;

/**
 * Reads items by their keys, strongly consistent by default. One call per hundred, and one for each key that a response leaves
 * unprocessed, because of throttling or beyond 16 MB: single reads have the SDK's back-off.
 *
 * @param keys each key once
 * @param isConsistent false costs half, and may miss the writes of the last moments
 * @returns the items that exist, in no particular order
 * @throws ApiError `ServiceUnavailable`
 */
export async function batchGet(
  client: DynamoDBDocumentClient,
  table: string,
  keys: StoredItem[],
  isConsistent = true,
): Promise<StoredItem[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / MAX_BATCH_SIZE) }, (_, i) =>
    keys.slice(i * MAX_BATCH_SIZE, (i + 1) * MAX_BATCH_SIZE),
  );
  const responses = await mapConcurrently(batches, (Keys) =>
    client.send(new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: isConsistent } } })),
  );
  const unprocessed = responses.flatMap(({ UnprocessedKeys: keys }) => keys?.[table]?.Keys ?? []);
  const single = await mapConcurrently(unprocessed, async (Key) => {
    const { Item: item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return item;
  });
  return [...responses.flatMap(({ Responses: items }) => items?.[table] ?? []), ...single].filter(
    (item) => item !== undefined,
  );
}
