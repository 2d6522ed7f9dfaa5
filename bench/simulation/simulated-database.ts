import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { fromRawItem } from "../../lib/dynamodb/attribute-values.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { itemSize } from "../../test/support/database/item-size.ts";
import { type Expressions, meetsCondition, type RawItem, updated } from "./expressions.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const CALL_MS = 4;
/** How long a transaction holds its items; a fifth more or less. */
const HOLD_MS = 15;
/** What a partition key takes, in units a second. */
const KEY_UNITS = { read: 3_000, write: 1_000 };
/** How much of it, and of what a table takes, may be taken at once. DynamoDB documents 300 s of unused capacity. */
const BURST_SECONDS = { key: 0.1, table: 1 };
const MAX_ITEM_BYTES = 400 * 1_024;
const UNIT_BYTES = { read: 4_096, write: 1_024 };
const MAX_PAGE_BYTES = 1_048_576;

type Kind = keyof typeof KEY_UNITS;

interface Input extends Expressions {
  readonly TableName: string;
  readonly Key?: RawItem;
  readonly Item?: RawItem;
  readonly ConsistentRead?: boolean;
  readonly TransactItems?: readonly Readonly<Record<string, Input>>[];
  readonly RequestItems?: Readonly<Record<string, { Keys: readonly RawItem[]; ConsistentRead?: boolean }>>;
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly Limit?: number;
  readonly ScanIndexForward?: boolean;
  readonly ExclusiveStartKey?: RawItem;
}

/**
 * A model of DynamoDB in simulated time: it stores items, checks conditions, counts units by the size of an item, refuses
 * items beyond 400 KB, and throttles partition keys beyond their units. Transactions on one item cancel each other and
 * conflict with plain writes; what is cancelled costs as much as what is done, as AWS documents for transactions
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html).
 */
export class SimulatedDatabase {
  /** How many units were used, also by refused writes. */
  units = 0;
  /** How many calls were throttled. */
  throttled = 0;
  /** What a table or an index takes in a second. */
  tableUnits = { read: Number.POSITIVE_INFINITY, write: Number.POSITIVE_INFINITY };
  /** The ids that a partition of a table or an index may have, both ends inclusive. */
  idsIn: (table: string, partition: string) => readonly [number, number] = () => [1, 0];
  readonly #items = new Map<string, RawItem>();
  readonly #clock: VirtualClock;
  readonly #random: () => number;
  readonly #held = new Set<string>();
  readonly #taken = new Map<string, number>();
  readonly #newItem: (table: string, key: RawItem) => RawItem | undefined;

  /** @param newItem what is stored under a key that was never written */
  constructor(
    clock: VirtualClock,
    random: () => number,
    newItem: (table: string, key: RawItem) => RawItem | undefined,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#newItem = newItem;
  }

  /** A client of the service, with its retries. */
  client(): DynamoDBClient {
    const credentials = { accessKeyId: "simulated", secretAccessKey: "simulated" };
    const config = { region: "us-east-1", endpoint: "http://localhost", credentials };
    const client = documentClient({ config, random: this.#random });
    client.middlewareStack.add(
      (_, { commandName }) =>
        async (args) => {
          const output = await this.#call(args.input as Input, commandName);
          return { output: { $metadata: {}, ...output } as never, response: {} };
        },
      { name: "simulatedDatabase", step: "deserialize", priority: "high" },
    );
    return client;
  }

  async #call(input: Input, command = ""): Promise<object> {
    if (input.TransactItems) return this.#transact(input.TransactItems);
    const isRead = ["QueryCommand", "GetItemCommand", "BatchGetItemCommand"].includes(command);
    if (!isRead) return this.#write(input);
    await this.#clock.wait(CALL_MS);
    if (command === "QueryCommand") return this.#query(input);
    if (input.RequestItems) return this.#batchGet(input.RequestItems);
    const item = this.#stored(input, input.Key);
    const CapacityUnits = this.#take(input, item, "read", input.ConsistentRead ? 1 : 0.5);
    return { ConsumedCapacity: { CapacityUnits }, ...(item && { Item: item }) };
  }

  /** Of the forms of the service: a partition, and a range of ids in it. */
  #query(query: Input): object {
    const { TableName, IndexName, Limit = MAX_PAGE_BYTES } = query;
    const [value] = Object.values(query.ExpressionAttributeValues ?? {});
    const partition = value?.S ?? value?.N ?? "";
    const step = query.ScanIndexForward === false ? -1 : 1;
    const [from, to] = rangeOf(query, this.idsIn(TableName, IndexName ?? partition), step);
    const Items: RawItem[] = [];
    let [bytes, count, id] = [0, 0, step > 0 ? from : to];
    const pkOf = (id: number) => ({ S: IndexName ? String(Math.floor((id - 1) / 1_000)) : partition });
    for (; id >= from && id <= to && count < Limit && bytes < MAX_PAGE_BYTES; id += step) {
      const item = this.#stored(query, { pk: pkOf(id), sk: { N: String(id) } });
      if (item === undefined) continue;
      count += 1;
      bytes += sizeOf(item);
      const { FilterExpression: ConditionExpression } = query;
      if (!ConditionExpression || meetsCondition(item, { ...query, ConditionExpression })) Items.push(item);
    }
    const units = Math.max(0.5, Math.ceil(bytes / UNIT_BYTES.read)) * (query.ConsistentRead ? 1 : 0.5);
    this.#takeUnits([TableName, IndexName].join("/"), partition, units, "read");
    const hasMore = id >= from && id <= to;
    const LastEvaluatedKey = { pk: pkOf(id), sk: { N: String(id - step) } };
    return { Items, ConsumedCapacity: { CapacityUnits: units }, ...(hasMore && { LastEvaluatedKey }) };
  }

  #batchGet(requests: NonNullable<Input["RequestItems"]>): object {
    let CapacityUnits = 0;
    const read = Object.entries(requests).map(([TableName, { Keys, ConsistentRead = false }]) => {
      const items: RawItem[] = Keys.flatMap((Key) => [this.#stored({ TableName }, Key) ?? []].flat());
      for (const item of items)
        CapacityUnits += this.#take({ TableName, Key: item }, item, "read", ConsistentRead ? 1 : 0.5);
      return [TableName, items] as const;
    });
    return { Responses: Object.fromEntries(read), ConsumedCapacity: [{ CapacityUnits }] };
  }

  async #write(write: Input): Promise<object> {
    await this.#clock.wait(CALL_MS / 2);
    const before = this.#stored(write) ?? {};
    const next = after(before, write);
    this.#take(write, larger(before, next), "write");
    if (this.#held.has(keyOf(write))) throw await this.#refusal("TransactionConflictException");
    if (!meetsCondition(before, write))
      throw await this.#refusal("ConditionalCheckFailedException", { Item: before });
    this.#store(write);
    await this.#clock.wait(CALL_MS / 2);
    return { Attributes: next };
  }

  async #transact(items: readonly Readonly<Record<string, Input>>[]): Promise<object> {
    const writes = items.flatMap((item) => Object.values(item));
    const units = writes.map((write) => {
      const before = this.#stored(write) ?? {};
      return 2 * unitsOf(larger(before, after(before, write)), "write");
    });
    const cancelled = (isRefused: (write: Input) => boolean, Code: string) => {
      const CancellationReasons = writes.map((write) => ({ Code: isRefused(write) ? Code : "None" }));
      return writes.some(isRefused) && { CancellationReasons };
    };
    const conflicts = cancelled((write) => this.#held.has(keyOf(write)), "TransactionConflict");
    if (conflicts) throw await this.#refusal("TransactionCanceledException", conflicts);
    // DynamoDB prepares all or none. It charges conflicts as well, which is left out here (docs/adr/0007).
    for (const write of writes) this.#refuseThrottled(write.TableName, partitionOf(write), "write");
    for (const [i, write] of writes.entries())
      this.#takeUnits(write.TableName, partitionOf(write), units[i] ?? 0, "write", true);
    for (const write of writes) this.#held.add(keyOf(write));
    await this.#clock.wait(HOLD_MS * (0.8 + 0.4 * this.#random()));
    for (const write of writes) this.#held.delete(keyOf(write));
    const isUnmet = (write: Input) => !meetsCondition(this.#stored(write) ?? {}, write);
    const unmet = cancelled(isUnmet, "ConditionalCheckFailed");
    if (unmet) throw await this.#refusal("TransactionCanceledException", unmet);
    for (const write of writes) this.#store(write);
    return {
      ConsumedCapacity: writes.map(({ TableName }, i) => ({ TableName, CapacityUnits: units[i] })),
    };
  }

  #stored(write: Input, key: RawItem = write.Key ?? write.Item ?? {}): RawItem | undefined {
    return this.#items.get(keyOf({ ...write, Key: key })) ?? this.#newItem(write.TableName, key);
  }

  #store(write: Input): void {
    const item = after(this.#stored(write) ?? {}, write);
    if (Object.keys(item).length > 0) this.#items.set(keyOf(write), item);
    else this.#items.delete(keyOf(write));
  }

  /** Takes the units of an item, and returns them. */
  #take(input: Input, item: RawItem = {}, kind: Kind, factor = 1): number {
    if (sizeOf(item) > MAX_ITEM_BYTES) throw errorNamed("ValidationException");
    const units = unitsOf(item, kind) * factor;
    this.#takeUnits(input.TableName, partitionOf(input), units, kind);
    return units;
  }

  /**
   * Takes units from a partition key and from its table. What a call takes is only known afterwards, so that one call may
   * take more than is left, as in DynamoDB. @throws if nothing is left
   */
  #takeUnits(table: string, partition: string, units: number, kind: Kind, isAdmitted = false): void {
    if (!isAdmitted) this.#refuseThrottled(table, partition, kind);
    for (const { name, perSecond } of this.#wallsOf(table, partition, kind))
      this.#taken.set(name, this.#takenUntil(name) + units / perSecond);
    this.units += units;
  }

  #refuseThrottled(table: string, partition: string, kind: Kind): void {
    for (const { name, burst } of this.#wallsOf(table, partition, kind)) {
      if (this.#takenUntil(name) <= this.#clock.now / 1_000 + burst) continue;
      this.throttled += 1;
      throw errorNamed("ProvisionedThroughputExceededException");
    }
  }

  #wallsOf(table: string, partition: string, kind: Kind) {
    const name = `${kind} ${table}`;
    return [
      { name, perSecond: this.tableUnits[kind], burst: BURST_SECONDS.table },
      { name: `${name} ${partition}`, perSecond: KEY_UNITS[kind], burst: BURST_SECONDS.key },
    ];
  }

  #takenUntil(name: string): number {
    return Math.max(this.#taken.get(name) ?? 0, this.#clock.now / 1_000);
  }

  async #refusal(name: string, fields?: object): Promise<Error> {
    await this.#clock.wait(CALL_MS / 2);
    return errorNamed(name, fields);
  }
}

/** The item after a write; empty after a deletion. */
function after(before: RawItem, write: Input): RawItem {
  if (write.Item) return write.Item;
  return write.UpdateExpression ? updated({ ...before, ...write.Key }, write) : {};
}

function larger(before: RawItem, after: RawItem): RawItem {
  return sizeOf(after) > sizeOf(before) ? after : before;
}

function sizeOf(item: RawItem): number {
  return itemSize(fromRawItem(item));
}

function unitsOf(item: RawItem, kind: Kind): number {
  return Math.max(1, Math.ceil(sizeOf(item) / UNIT_BYTES[kind]));
}

function partitionOf({ Key, Item }: Input): string {
  return (Key ?? Item)?.pk?.S ?? "";
}

function keyOf({ TableName, Key, Item }: Input): string {
  const { pk, sk } = Key ?? Item ?? {};
  return JSON.stringify([TableName, pk, sk]);
}

function errorNamed(name: string, fields: object = {}): Error {
  const $metadata = { httpStatusCode: 400 };
  return Object.assign(new Error(name), { name, $fault: "client", $metadata }, fields);
}

/** The ids that a query reads of those that exist, both ends inclusive. */
function rangeOf(query: Input, [first, last]: readonly [number, number], step: number) {
  const { ":from": low, ":to": high, ":after": after } = query.ExpressionAttributeValues ?? {};
  const start = query.ExclusiveStartKey?.sk;
  const isAscending = query.KeyConditionExpression?.includes("sk > :after");
  const bounds = [start, after].map((bound, i) => ({ bound, isLow: i === 0 ? step > 0 : isAscending }));
  const lows = bounds.flatMap(({ bound, isLow }) => (bound && isLow ? Number(bound.N) + 1 : []));
  const highs = bounds.flatMap(({ bound, isLow }) => (bound && !isLow ? Number(bound.N) - 1 : []));
  return [
    Math.max(first, Number(low?.N ?? first), ...lows),
    Math.min(last, Number(high?.N ?? last), ...highs),
  ] as const;
}
