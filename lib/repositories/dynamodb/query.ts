import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";

/** An item as it is stored, before a schema has decoded it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/**
 * One query, followed to its end where it is longer than the 1 MB of one answer.
 *
 * @param input the query; its reads are strongly consistent unless it says otherwise
 * @returns the items of one answer after the other, in the order of the sort key
 */
export async function* queryPages(
  client: DynamoDBDocumentClient,
  input: QueryCommandInput,
): AsyncGenerator<readonly StoredItem[]> {
  let next: Record<string, unknown> | undefined;
  do {
    const answer = await client.send(
      new QueryCommand({ ConsistentRead: true, ...input, ...(next && { ExclusiveStartKey: next }) }),
    );
    yield answer.Items ?? [];
    next = answer.LastEvaluatedKey;
  } while (next);
}

/**
 * The same, all items together.
 *
 * @param input the query; its reads are strongly consistent unless it says otherwise
 * @returns all items, in the order of the sort key
 */
export async function queryAll(
  client: DynamoDBDocumentClient,
  input: QueryCommandInput,
): Promise<StoredItem[]> {
  const items: StoredItem[] = [];
  for await (const page of queryPages(client, input)) items.push(...page);
  return items;
}

/**
 * The items of one partition whose sort keys lie within bounds, in their order.
 *
 * @param partition the value of `pk`
 * @param from the least sort key, inclusive
 * @param to the greatest sort key, inclusive
 */
export function queryRange(
  client: DynamoDBDocumentClient,
  table: string,
  partition: string,
  from: number,
  to: number,
): Promise<StoredItem[]> {
  return queryAll(client, rangeQuery(table, partition, from, to));
}

/** The query for the items of one partition whose sort keys lie within bounds, both inclusive. */
export function rangeQuery(table: string, partition: string, from: number, to: number) {
  return {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": partition, ":from": from, ":to": to },
  } satisfies QueryCommandInput;
}
