import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { fromRawItem } from "../../lib/dynamodb/query.ts";
import { operationsOn } from "../../lib/records/exactly-once.ts";
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
type Wall = readonly [name: string, perSecond: number, burstSeconds: number];

interface Write extends Expressions {
  readonly TableName: string;
  readonly Key?: RawItem;
  readonly Item?: RawItem;
}

interface Read {
  readonly TableName: string;
  readonly Key?: RawItem;
  readonly ConsistentRead?: boolean;
}

interface Query extends Read, Pick<Expressions, "ExpressionAttributeNames" | "ExpressionAttributeValues"> {
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly Limit?: number;
  readonly ScanIndexForward?: boolean;
  readonly ExclusiveStartKey?: RawItem;
}

interface Input extends Write {
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[];
  readonly RequestItems?: Readonly<
    Record<string, { readonly Keys: readonly RawItem[]; readonly ConsistentRead?: boolean }>
  >;
}

/**
 * A model of DynamoDB in simulated time: it stores items, checks conditions, counts units by the size of an item, refuses
 * items beyond 400 KB, and throttles partition keys beyond their units. Transactions on one item cancel each other and
 * conflict with plain writes.
 */
export class SimulatedDatabase {
  /** How many units were used, also by refused writes. */
  units = 0;
  /** The most operations that an item has had, and the most units of a plain write. */
  readonly largest = { operations: 0, units: 0 };
  /** How many calls were throttled. */
  throttled = 0;
  /** What a table or an index takes in a second. */
  tableUnits = { read: Number.POSITIVE_INFINITY, write: Number.POSITIVE_INFINITY };
  /** The ids that a partition of a table or an index may have, both ends inclusive. */
  idsIn: (table: string, partition: string) => readonly [number, number] = () => [1, 0];
  /** Whether all calls to a table are throttled at the moment. */
  isThrottled: (table: string) => boolean = () => false;
  readonly items = new Map<string, RawItem>();
  readonly #clock: VirtualClock;
  readonly #random: () => number;
  readonly #held = new Map<string, number>();
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
  client(): DynamoDBDocumentClient {
    const client = documentClient({
      config: {
        region: "us-east-1",
        endpoint: "http://localhost",
        credentials: { accessKeyId: "simulated", secretAccessKey: "simulated" },
      },
      random: this.#random,
    });
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

  #call(input: Input, command = ""): Promise<object> {
    if (command === "QueryCommand") return this.#query(input);
    if (command === "GetItemCommand") return this.#get(input);
    if (input.TransactItems) return this.#transact(input.TransactItems);
    return input.RequestItems ? this.#batchGet(input.RequestItems) : this.#write(input);
  }

  async #get({ TableName, Key = {}, ConsistentRead = false }: Read): Promise<object> {
    await this.#clock.wait(CALL_MS);
    const item = this.#stored(TableName, Key);
    const CapacityUnits = this.#take(TableName, Key, item ?? {}, "read", ConsistentRead);
    return { ConsumedCapacity: { CapacityUnits }, ...(item && { Item: fromRawItem(item) }) };
  }

  /** Of the forms of the service: a partition, and a range of ids in it. */
  async #query(query: Query): Promise<object> {
    await this.#clock.wait(CALL_MS);
    const { TableName, IndexName, Limit = MAX_PAGE_BYTES } = query;
    const [value] = Object.values(query.ExpressionAttributeValues ?? {});
    const partition = value?.S ?? value?.N ?? "";
    const step = query.ScanIndexForward === false ? -1 : 1;
    const [from, to] = rangeOf(query, this.idsIn(TableName, IndexName ?? partition), step);
    const Items: RawItem[] = [];
    let [bytes, count, id] = [0, 0, step > 0 ? from : to];
    const pkOf = (id: number) => ({ S: IndexName ? String(Math.floor((id - 1) / 1_000)) : partition });
    for (; id >= from && id <= to && count < Limit && bytes < MAX_PAGE_BYTES; id += step) {
      const item = this.#stored(TableName, { pk: pkOf(id), sk: { N: String(id) } });
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

  async #batchGet(requests: NonNullable<Input["RequestItems"]>): Promise<object> {
    await this.#clock.wait(CALL_MS);
    let CapacityUnits = 0;
    const read = Object.entries(requests).map(([table, { Keys, ConsistentRead = false }]) => {
      const items = Keys.map((key) => this.#stored(table, key)).filter((item) => item !== undefined);
      for (const item of items) CapacityUnits += this.#take(table, item, item, "read", ConsistentRead);
      return [table, items] as const;
    });
    return { Responses: Object.fromEntries(read), ConsumedCapacity: [{ CapacityUnits }] };
  }

  async #write(write: Write): Promise<object> {
    const key = keyOf(write);
    await this.#clock.wait(CALL_MS / 2);
    if (this.#held.has(key)) throw await this.#refusal("TransactionConflictException");
    const before = this.#stored(write.TableName, write.Key ?? {}) ?? {};
    const isMet = meetsCondition(before, write);
    const after = isMet ? this.#after(before, write) : before;
    const larger = sizeOf(after) > sizeOf(before) ? after : before;
    this.largest.units = Math.max(
      this.largest.units,
      this.#take(write.TableName, write.Key ?? {}, larger, "write"),
    );
    this.largest.operations = Math.max(this.largest.operations, operationsOn(larger).length);
    if (!isMet) throw await this.#refusal("ConditionalCheckFailedException", { Item: before });
    this.#store(key, after);
    await this.#clock.wait(CALL_MS / 2);
    return { Attributes: fromRawItem(after) };
  }

  async #transact(items: readonly Readonly<Record<string, Write>>[]): Promise<object> {
    const writes = items.flatMap((item) => Object.values(item));
    const codes = (isRefused: (write: Write) => boolean, code: string) => ({
      CancellationReasons: writes.map((write) => ({ Code: isRefused(write) ? code : "None" })),
    });
    const conflicts = codes((write) => this.#held.has(keyOf(write)), "TransactionConflict");
    if (conflicts.CancellationReasons.some(({ Code }) => Code !== "None"))
      throw await this.#refusal("TransactionCanceledException", conflicts);
    for (const write of writes) this.#held.set(keyOf(write), 1);
    await this.#clock.wait(HOLD_MS * (0.8 + 0.4 * this.#random()));
    for (const write of writes) this.#held.delete(keyOf(write));
    const stored = (write: Write) => this.#stored(write.TableName, write.Key ?? write.Item ?? {}) ?? {};
    const failed = codes((write) => !meetsCondition(stored(write), write), "ConditionalCheckFailed");
    const keyOfWrite = ({ Key, Item }: Write) => (Key ?? Item)?.pk?.S ?? "";
    for (const write of writes) this.#refuseThrottled(write.TableName, keyOfWrite(write), "write");
    const taken = new Map<string, number>();
    for (const write of writes) {
      const { TableName: table } = write;
      // As large as the larger one of before and after.
      const before = stored(write);
      const after = this.#after(before, write);
      const larger = sizeOf(after) > sizeOf(before) ? after : before;
      const units = 2 * Math.ceil(Math.max(1, sizeOf(larger)) / UNIT_BYTES.write);
      this.#takeUnits(table, keyOfWrite(write), units, "write", true);
      taken.set(table, (taken.get(table) ?? 0) + units);
    }
    if (failed.CancellationReasons.some(({ Code }) => Code !== "None"))
      throw await this.#refusal("TransactionCanceledException", failed);
    for (const write of writes) this.#store(keyOf(write), this.#after(stored(write), write));
    return {
      ConsumedCapacity: [...taken].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits })),
    };
  }

  /** The item after a write; empty after a deletion. */
  #after(before: RawItem, write: Write): RawItem {
    if (write.Item) return write.Item;
    return write.UpdateExpression ? updated({ ...before, ...write.Key }, write) : {};
  }

  #stored(table: string, key: RawItem): RawItem | undefined {
    return this.items.get(keyOf({ TableName: table, Key: key })) ?? this.#newItem(table, key);
  }

  #store(key: string, item: RawItem): void {
    if (Object.keys(item).length > 0) this.items.set(key, item);
    else this.items.delete(key);
  }

  /** Takes the units of an item, and returns them. */
  #take(table: string, key: RawItem, item: RawItem, kind: Kind, isConsistent = true): number {
    if (sizeOf(item) > MAX_ITEM_BYTES) throw errorNamed("ValidationException");
    const units = Math.max(1, Math.ceil(sizeOf(item) / UNIT_BYTES[kind])) * (isConsistent ? 1 : 0.5);
    this.#takeUnits(table, key.pk?.S ?? "", units, kind);
    return units;
  }

  /**
   * Takes units from a partition key and from its table. What a call takes is only known afterwards, so that one call may
   * take more than is left, as in DynamoDB. @throws if nothing is left
   */
  #takeUnits(table: string, partition: string, units: number, kind: Kind, isAdmitted = false): void {
    if (!isAdmitted) this.#refuseThrottled(table, partition, kind);
    for (const [name, perSecond] of this.#wallsOf(table, partition, kind))
      this.#taken.set(name, this.#takenUntil(name) + units / perSecond);
    this.units += units;
  }

  #refuseThrottled(table: string, partition: string, kind: Kind): void {
    const walls = this.#wallsOf(table, partition, kind);
    const isLeft = ([name, , burst]: Wall) => this.#takenUntil(name) <= this.#clock.now / 1_000 + burst;
    if (!this.isThrottled(table) && walls.every(isLeft)) return;
    this.throttled += 1;
    throw errorNamed("ProvisionedThroughputExceededException");
  }

  #wallsOf(table: string, partition: string, kind: Kind): Wall[] {
    const name = `${kind} ${table}`;
    return [
      [name, this.tableUnits[kind], BURST_SECONDS.table],
      [`${name} ${partition}`, KEY_UNITS[kind], BURST_SECONDS.key],
    ];
  }

  #takenUntil(name: string): number {
    return Math.max(this.#taken.get(name) ?? 0, this.#clock.now / 1_000);
  }

  async #refusal(name: string, fields: object = {}): Promise<Error> {
    await this.#clock.wait(CALL_MS / 2);
    return errorNamed(name, fields);
  }
}

function sizeOf(item: RawItem): number {
  return itemSize(fromRawItem(item));
}

function keyOf({ TableName, Key, Item }: Pick<Write, "TableName" | "Key" | "Item">): string {
  const { pk, sk } = Key ?? Item ?? {};
  return JSON.stringify([TableName, pk, sk]);
}

function errorNamed(name: string, fields: object = {}): Error {
  const $metadata = { httpStatusCode: 400 };
  return Object.assign(new Error(name), { name, $fault: "client", $metadata }, fields);
}

/** The ids that a query reads of those that exist, both ends inclusive. */
function rangeOf(query: Query, [first, last]: readonly [number, number], step: number) {
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
