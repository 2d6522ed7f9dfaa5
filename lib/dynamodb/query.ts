import {
  type ConsumedCapacity,
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/client-dynamodb";
import { isThrottled } from "../aws.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import { type Admission, admissionOf } from "./admission.ts";
import { fromRawItem, toRawItem } from "./attribute-values.ts";
import { withoutDamaged } from "./decode.ts";

/** An item before a schema has decoded it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** Twice as much if it is eventually consistent. */
const READ_UNIT_BYTES = 4_096;
const LIMIT_GROWTH = 4;
const MAX_LIMIT = 2 ** 31 - 1;

export interface QueryInput
  extends Omit<QueryCommandInput, "ExpressionAttributeValues" | "ExclusiveStartKey"> {
  readonly ExpressionAttributeValues: Readonly<Record<string, string | number>>;
  /** Of the first response; each further one has four times as much. */
  readonly Limit?: number | undefined;
  /** The complete key of an item in the index: the query begins after it. */
  readonly after?: Readonly<Record<string, string | number>> | undefined;
  /** The sort key of an index that has one of its own: `readTo` then has its value as well. */
  readonly sortedBy?: string;
  /** Only administrators ask for it, so that it needs no admission. */
  readonly isAdmitted?: true;
}

export interface QueryPage<T> {
  readonly items: readonly T[];
  /** The last sort key that was read, with `sortedBy` `[text, id]`; undefined at the end of the query. */
  readonly readTo: unknown;
}

/**
 * Runs a query to its end, strongly consistent by default. One call per 1 MB of items.
 * @param decode may throw DamagedRecord, which leaves out the item; by default items stay as stored
 * @throws ReadBudgetExceeded when the budget is spent and the query is not at its end
 */
export async function* queryPages<T = StoredItem>(
  client: DynamoDBClient,
  { ConsistentRead = true, isAdmitted, after, sortedBy, ...input }: QueryInput,
  budget?: ReadBudget,
  decode?: (item: StoredItem) => T,
): AsyncGenerator<QueryPage<T>> {
  const ExpressionAttributeValues = toRawItem(input.ExpressionAttributeValues);
  const query = {
    ...input,
    ConsistentRead,
    ExpressionAttributeValues,
    ReturnConsumedCapacity: "TOTAL" as const,
  };
  const read = {
    isConsistent: ConsistentRead,
    admission: isAdmitted ? undefined : admissionOf(client, String(input.TableName)),
  };
  let Limit = input.Limit && Math.min(input.Limit, MAX_LIMIT);
  let ExclusiveStartKey = after && toRawItem(after);
  do {
    const command = new QueryCommand({ ...query, Limit, ExclusiveStartKey });
    const response = await withinBudget(budget, read, (options) => client.send(command, options));
    ExclusiveStartKey = response.LastEvaluatedKey;
    const items = (response.Items ?? []).map(fromRawItem);
    const last = ExclusiveStartKey && fromRawItem(ExclusiveStartKey);
    const readTo = sortedBy && last ? [last[sortedBy], last.sk] : last?.sk;
    yield { items: decode ? withoutDamaged(items, decode) : (items as T[]), readTo };
    Limit = Limit && Math.min(Limit * LIMIT_GROWTH, MAX_LIMIT);
  } while (ExclusiveStartKey);
}

interface BudgetedRead {
  readonly isConsistent: boolean;
  readonly admission?: Admission | undefined;
}

interface BudgetedResponse {
  readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined;
}

/** Batches name the capacity by table, and read from one. */
function unitsOf({ ConsumedCapacity: capacity = {} }: BudgetedResponse): number {
  return [capacity].flat()[0]?.CapacityUnits ?? 0;
}

/** Makes a read, again while it is throttled. @throws ReadBudgetExceeded, and ApiError `TooManyRequests` */
export async function withinBudget<T extends BudgetedResponse>(
  budget: ReadBudget | undefined,
  { isConsistent, admission }: BudgetedRead,
  send: (options: { readonly abortSignal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  if (budget === undefined) return send({});
  for (;;) {
    const turn = await budget.begin();
    let reportUnits: ((units?: number) => void) | undefined;
    try {
      reportUnits = await admission?.admit(budget);
      const response = await send({ abortSignal: budget.signal });
      const units = unitsOf(response);
      reportUnits?.(units);
      budget.end(units * READ_UNIT_BYTES * (isConsistent ? 1 : 2));
      return response;
    } catch (error) {
      const wasThrottled = isThrottled((error as Error).cause);
      reportUnits?.(wasThrottled ? undefined : 0);
      if (!budget.fail(turn, wasThrottled)) throw error;
    }
  }
}

export async function getItem(
  client: DynamoDBClient,
  table: string,
  key: StoredItem,
  options: Omit<GetItemCommandInput, "TableName" | "Key"> = {},
): Promise<StoredItem | undefined> {
  const input = { TableName: table, Key: toRawItem(key), ConsistentRead: true, ...options };
  const { Item } = await client.send(new GetItemCommand(input));
  return Item && fromRawItem(Item);
}

export function projection(attributes: readonly string[]) {
  return {
    ProjectionExpression: attributes.map((_, i) => `#a${i}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#a${i}`, name])),
  };
}

export async function queryAll(client: DynamoDBClient, input: QueryInput, budget?: ReadBudget) {
  const all: StoredItem[] = [];
  for await (const { items } of queryPages(client, input, budget)) all.push(...items);
  return all;
}

/** Both bounds are inclusive; by default the whole partition. */
export function rangeQuery(table: string, partition: string, from = 0, to = Number.MAX_SAFE_INTEGER) {
  return {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    // DynamoDB refuses a range whose end is before its start.
    ExpressionAttributeValues: { ":pk": partition, ":from": from, ":to": Math.max(from, to) },
  } satisfies QueryInput;
}

/** Fewer than the SDK's 50 sockets, which leaves some to other calls. */
const MAX_CONCURRENCY = 32;

/** Maps a list in its order, at most 32 calls at a time. After an error none is started, and others go on. */
export async function mapConcurrently<A, B>(inputs: readonly A[], map: (input: A) => Promise<B>) {
  const results: B[] = new Array(inputs.length);
  const queue = inputs.entries();
  const work = async () => {
    for (const [index, input] of queue) results[index] = await map(input);
  };
  const workers = Array.from({ length: Math.min(MAX_CONCURRENCY, inputs.length) }, work);
  // Empties the queue after an error.
  await Promise.all(workers).finally(() => [...queue]);
  return results;
}
