import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";

/** An item as it is stored, before a schema has decoded it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/**
 * Runs a query to its end, which takes one call per 1 MB of items.
 *
 * @param input the query; its reads are strongly consistent by default
 * @returns the items of one response after the other, in the order of the sort key
 */
export async function* queryPages(
  client: DynamoDBDocumentClient,
  input: QueryCommandInput,
): AsyncGenerator<readonly StoredItem[]> {
  let next: Record<string, unknown> | undefined;
  do {
    const response = await client.send(
      new QueryCommand({ ConsistentRead: true, ...input, ...(next && { ExclusiveStartKey: next }) }),
    );
    yield response.Items ?? [];
    next = response.LastEvaluatedKey;
  } while (next);
}

/** Maps the items of a query, one response after the other. */
export async function* mapPages<A, B>(
  pages: AsyncIterable<readonly A[]>,
  map: (item: A) => B,
): AsyncGenerator<readonly B[]> {
  for await (const page of pages) yield page.map(map);
}

/**
 * Runs a query to its end and returns all items.
 *
 * @see queryPages
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
 * Reads the items of one partition whose sort keys are within bounds, in their order.
 *
 * @see rangeQuery
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

/**
 * The query for the items of one partition whose sort keys are within bounds.
 *
 * @param from the smallest sort key, inclusive
 * @param to the largest sort key, inclusive
 */
export function rangeQuery(table: string, partition: string, from: number, to: number) {
  return {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": partition, ":from": from, ":to": to },
  } satisfies QueryCommandInput;
}
