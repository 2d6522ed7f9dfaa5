import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { mapConcurrently } from "./concurrency.ts";
import type { StoredItem } from "./query.ts";

/** The most that one BatchGetItem takes. */
const KEYS_AT_ONCE = 100;

/**
 * Reads items by their keys, strongly consistent: one call per hundred. What an answer leaves out, for want of
 * throughput or beyond its 16 MB, is read one by one, with the SDK's back-off.
 *
 * @param keys every key once
 * @returns those that exist, in no order
 * @throws ApiError `ServiceUnavailable`
 */
export async function batchGet(
  client: DynamoDBDocumentClient,
  table: string,
  keys: StoredItem[],
): Promise<StoredItem[]> {
  const batches = Array.from({ length: Math.ceil(keys.length / KEYS_AT_ONCE) }, (_, i) =>
    keys.slice(i * KEYS_AT_ONCE, (i + 1) * KEYS_AT_ONCE),
  );
  const answers = await mapConcurrently(batches, (Keys) =>
    client.send(new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } })),
  );
  const leftOver = answers.flatMap(({ UnprocessedKeys: unprocessed }) => unprocessed?.[table]?.Keys ?? []);
  const single = await mapConcurrently(leftOver, async (Key) => {
    const { Item: item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return item;
  });
  return [...answers.flatMap(({ Responses: found }) => found?.[table] ?? []), ...single].filter(
    (item) => item !== undefined,
  );
}
