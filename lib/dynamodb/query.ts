import {
  type AttributeValue,
  type ConsumedCapacity,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { isThrottled } from "../aws.ts";
import type { ReadBudget } from "../domain/read-budget.ts";
import { type Admission, admissionOf } from "./admission.ts";
import { withoutDamaged } from "./decode.ts";

/** An item before a schema has decoded it. */
export type StoredItem = Readonly<Record<string, unknown>>;

/** Twice as much if it is eventually consistent. */
const READ_UNIT_BYTES = 4_096;
const LIMIT_GROWTH = 4;
/** A 32-bit integer. */
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
 *
 * @param decode may throw DamagedRecord, which leaves out the item; by default items stay as stored
 * @throws ReadBudgetExceeded when the budget is spent and the query is not at its end
 * @example for await (const { items } of queryPages(client, rangeQuery(table, "0"))) count += items.length;
 */
export async function* queryPages<T = StoredItem>(
  client: DynamoDBDocumentClient,
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
  const [partition] = Object.values(input.ExpressionAttributeValues);
  const read = {
    isConsistent: ConsistentRead,
    admission: isAdmitted ? undefined : admissionOf(client, String(input.TableName)),
    partition: `${input.IndexName} ${partition}`,
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
  /** Undefined for several. */
  readonly partition?: string;
}

/**
 * Makes a read, again while it is throttled.
 *
 * @throws ReadBudgetExceeded, also while it is running; ApiError `TooManyRequests` if it is not admitted
 */
export async function withinBudget<
  T extends { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined },
>(
  budget: ReadBudget | undefined,
  { isConsistent, admission, partition }: BudgetedRead,
  send: (options: { readonly abortSignal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  if (budget === undefined) return send({});
  for (;;) {
    const turn = await budget.begin();
    const reportUnits = await admission?.admit(partition, budget);
    try {
      const response = await send({ abortSignal: budget.signal });
      // Batches name the capacity by table, and read from one.
      const { CapacityUnits = 0 } = [response.ConsumedCapacity ?? {}].flat()[0] ?? {};
      reportUnits?.(CapacityUnits);
      budget.end(CapacityUnits * READ_UNIT_BYTES * (isConsistent ? 1 : 2));
      return response;
    } catch (error) {
      const wasThrottled = isThrottled((error as Error).cause);
      reportUnits?.(wasThrottled ? undefined : 0);
      if (!budget.fail(turn, wasThrottled)) throw error;
    }
  }
}

/** Reads one item, strongly consistent. One call. */
export async function getItem(
  client: DynamoDBDocumentClient,
  table: string,
  key: StoredItem,
  attributes?: ReturnType<typeof projection>,
): Promise<StoredItem | undefined> {
  const command = new GetCommand({ TableName: table, Key: key, ...attributes, ConsistentRead: true });
  return (await client.send(command)).Item;
}

export function projection(attributes: readonly string[]) {
  return {
    ProjectionExpression: attributes.map((_, i) => `#a${i}`).join(", "),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#a${i}`, name])),
  };
}

export async function queryAll(
  client: DynamoDBDocumentClient,
  input: QueryInput,
  budget?: ReadBudget,
): Promise<StoredItem[]> {
  const all: StoredItem[] = [];
  for await (const { items } of queryPages(client, input, budget)) all.push(...items);
  return all;
}

/** Both bounds are inclusive; by default the whole partition. */
export function rangeQuery(table: string, partition: string, from = 0, to = Number.MAX_SAFE_INTEGER) {
  return {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
    ExpressionAttributeValues: { ":pk": partition, ":from": from, ":to": to },
  } satisfies QueryInput;
}

/** Fewer than the SDK's 50 sockets, which leaves some to other calls. */
const MAX_CONCURRENCY = 32;

/** Maps a list in its order, at most 32 calls at a time. After an error no further ones are started. */
export async function mapConcurrently<A, B>(
  inputs: readonly A[],
  map: (input: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = new Array(inputs.length);
  const queue = inputs.entries();
  const work = async () => {
    for (const [index, input] of queue) results[index] = await map(input);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENCY, inputs.length) }, work));
  return results;
}

export type RawItem = Readonly<Record<string, AttributeValue>>;

/**
 * Converts DynamoDB's JSON, in an eighth of the time that `unmarshall` takes: 0.3 µs for a post's summary.
 * Unsafe integers become BigInt. Sets and binary values, which no table has, stay as they are.
 */
export function fromRawItem(item: RawItem): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const name in item) values[name] = fromAttributeValue(item[name] as AttributeValue);
  return values;
}

function fromAttributeValue(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return fromNumber(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.L !== undefined) return value.L.map(fromAttributeValue);
  if (value.M !== undefined) return fromRawItem(value.M);
  if (value.NULL !== undefined) return null;
  return value;
}

function fromNumber(text: string): number | bigint {
  const number = Number(text);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

export function toAttributeValue(value: string | number): AttributeValue {
  return typeof value === "number" ? { N: String(value) } : { S: value };
}

function toRawItem(values: Readonly<Record<string, string | number>>): RawItem {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toAttributeValue(value)]));
}

export function toRawKey({ pk, sk }: { readonly pk: string; readonly sk: string | number }) {
  return { pk: toAttributeValue(pk), sk: toAttributeValue(sk) };
}
