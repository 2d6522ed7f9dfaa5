import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { fromRawItem } from "../../lib/repositories/dynamodb/query.ts";
import { itemSize } from "../../test/support/database/item-size.ts";
import { type Expressions, meetsCondition, type RawItem, updated } from "./expressions.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const CALL_MS = 4;
/** How long a transaction holds its items; a fifth more or less. */
const HOLD_MS = 15;
/** What a partition key takes, in units a second. */
const UNITS_PER_SECOND = { read: 3_000, write: 1_000 };
/** How much of it may be taken at once. */
const BURST_SECONDS = 0.1;
const UNIT_BYTES = { read: 4_096, write: 1_024 };

interface Write extends Expressions {
  readonly TableName: string;
  readonly Key?: RawItem;
  readonly Item?: RawItem;
}

interface Input extends Write {
  readonly TransactItems?: readonly Readonly<Record<string, Write>>[];
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly RawItem[] }>>;
}

/**
 * A model of DynamoDB in simulated time: it stores items, checks conditions, counts units by the size of an item, and
 * throttles partition keys beyond their units. Transactions on one item cancel each other and conflict with plain writes.
 */
export class SimulatedDatabase {
  /** How many units were used, also by refused writes. */
  units = 0;
  /** How many calls were throttled. */
  throttled = 0;
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
      () => async (args) => {
        const output = await this.#call(args.input as Input);
        return { output: { $metadata: {}, ...output } as never, response: {} };
      },
      { name: "simulatedDatabase", step: "deserialize", priority: "high" },
    );
    return client;
  }

  #call(input: Input): Promise<object> {
    if (input.TransactItems) return this.#transact(input.TransactItems);
    return input.RequestItems ? this.#batchGet(input.RequestItems) : this.#write(input);
  }

  async #batchGet(requests: NonNullable<Input["RequestItems"]>): Promise<object> {
    await this.#clock.wait(CALL_MS);
    const read = Object.entries(requests).map(([table, { Keys }]) => {
      const items = Keys.map((key) => this.#stored(table, key)).filter((item) => item !== undefined);
      for (const item of items) this.#take(table, item, item, "read");
      return [table, items] as const;
    });
    return { Responses: Object.fromEntries(read) };
  }

  async #write(write: Write): Promise<object> {
    const key = keyOf(write);
    await this.#clock.wait(CALL_MS / 2);
    if (this.#held.has(key)) throw await this.#refusal("TransactionConflictException");
    const before = this.#stored(write.TableName, write.Key ?? {}) ?? {};
    const isMet = meetsCondition(before, write);
    const after = isMet ? this.#after(before, write) : before;
    this.#take(write.TableName, write.Key ?? {}, sizeOf(after) > sizeOf(before) ? after : before, "write");
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
    for (const write of writes)
      for (let i = 0; i < 2; i += 1)
        this.#take(
          write.TableName,
          write.Key ?? write.Item ?? {},
          this.#after(stored(write), write),
          "write",
        );
    if (failed.CancellationReasons.some(({ Code }) => Code !== "None"))
      throw await this.#refusal("TransactionCanceledException", failed);
    for (const write of writes) this.#store(keyOf(write), this.#after(stored(write), write));
    return {};
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

  /** Takes the units of an item from its partition key. @throws if the key has none left */
  #take(table: string, key: RawItem, item: RawItem, kind: "read" | "write"): void {
    const units = Math.max(1, Math.ceil(sizeOf(item) / UNIT_BYTES[kind]));
    const name = `${kind} ${table} ${JSON.stringify(key.pk)}`;
    const seconds = units / UNITS_PER_SECOND[kind];
    const takenUntil = Math.max(this.#taken.get(name) ?? 0, this.#clock.now / 1_000) + seconds;
    if (this.isThrottled(table) || takenUntil > this.#clock.now / 1_000 + BURST_SECONDS) {
      this.throttled += 1;
      throw errorNamed("ProvisionedThroughputExceededException");
    }
    this.#taken.set(name, takenUntil);
    this.units += units;
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
