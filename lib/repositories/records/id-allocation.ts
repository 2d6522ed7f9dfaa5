import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from "@aws-sdk/lib-dynamodb";
import { cancellationCodes, isAnswered, isErrorNamed } from "../dynamodb/client.ts";
import { conditionFailureItem, itemIsAbsent, updateOf } from "../dynamodb/expressions.ts";
import { queryAll, rangeQuery } from "../dynamodb/query.ts";
import type { TransactionItem } from "../dynamodb/transaction.ts";
import { MAX_ATTEMPTS, tooManyConflicts } from "./contention.ts";
import { type AllocatedIds, bitmapOf, groupOf, tombstoneBit } from "./id-blocks.ts";
import { ENTRY_PREFIX, latestPlausible, NO_LIMIT, newRevision, timeOfChange } from "./revision.ts";

/** By id. */
export type Order = "ascending" | "descending";

/** The partition of the counter and of the numbers of deleted ids. */
const PARTITION = "ids";
/** The key of the counter; it sorts before every number of deleted ids. */
export const COUNTER_KEY = { pk: PARTITION, sk: -1 };

/** The key of a group's number of deleted ids, its attribute `n`. All groups are read together, so it is small. */
export function deletedCountKey(group: number): { pk: string; sk: number } {
  return { pk: PARTITION, sk: group };
}

/** The partition of the bitmaps of a group. */
function bitmapPartition(group: number): string {
  return `deleted#${group}`;
}

/** The key of a block's bitmap of deleted ids. */
export function bitmapKey(block: number): { pk: string; sk: number } {
  return { pk: bitmapPartition(groupOf(block)), sk: block };
}

/**
 * How many entries the counter keeps: an allocation is found by its second attempt unless this number of other
 * processes have allocated in between.
 */
const KEPT_ENTRIES = 16;
/**
 * Each allocation of such an id removes the older entries. An entry has at most 26 bytes and the rest of the counter
 * fewer than 190: the item stays below 1 KB, which is one write unit.
 */
const REMOVAL_INTERVAL = 16;
/** A process waits with further allocations, so that its entries do not displace those of others. */
const MAX_CONCURRENT = 8;
/** An update expression has at most 4 KB. */
const MAX_REMOVALS = 100;

/**
 * The ids of one table: an atomic counter allocates 1, 2, 3, …, a bitmap for each block of 1,000 ids marks those
 * that name no record any more, and a number for each group of 16 blocks counts them (docs/adr/0003).
 */
export class IdAllocation {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  /** Our own entries that the next allocation removes. */
  #obsolete: readonly string[] = [];
  readonly #inProgress: Promise<unknown>[] = [];
  #count = 0;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /** Allocates the next id. One call, and at times one more (see `REMOVAL_INTERVAL`). */
  async allocate(): Promise<number> {
    return (await this.#inTurn()).id;
  }

  /**
   * Allocates the next id together with a timestamp that is not before that of a smaller id, unless that comes from a
   * wrong clock. One call as `allocate`, and one more each time that the last timestamp is ahead of ours.
   *
   * @returns the id and the timestamp, ISO 8601
   */
  allocateWithTimestamp(now: Date): Promise<{ id: number; time: string }> {
    return this.#inTurn(now);
  }

  async #allocate(now?: Date): Promise<{ id: number; time: string }> {
    let entry = newEntry();
    let time = now?.toISOString() ?? "";
    let latest = NO_LIMIT;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const { id, counter: { fence, allocatedAt } = {} } = await this.#increment(entry, time, latest);
      if (id !== undefined) return { id, time };
      if (fence?.S && fence.S >= entry && fence.S <= latestEntry()) entry = newEntry(fence.S);
      if (now && allocatedAt) time = timeOfChange(allocatedAt.S, now);
      if (now) latest = latestPlausible(now);
    }
    throw tooManyConflicts();
  }

  async #inTurn(now?: Date): Promise<{ id: number; time: string }> {
    const turn = this.#count % MAX_CONCURRENT;
    this.#count += 1;
    const allocated = (this.#inProgress[turn] ?? Promise.resolve()).then(() => this.#allocate(now));
    this.#inProgress[turn] = Promise.allSettled([allocated]);
    return allocated;
  }

  /**
   * Increments the counter and stores the id in an entry of its own, so that a repeated attempt whose first response
   * was lost finds its id instead of allocating a second one, however many others have allocated since. The entry stays
   * if an attempt may still arrive, and the fence keeps those away whose entry has been removed.
   *
   * @param time empty if the id has no timestamp
   * @param latest last timestamps after this one do not count
   * @returns the id; the counter instead, if its fence or last timestamp is not before the attempt
   */
  async #increment(
    entry: string,
    time: string,
    latest: string,
  ): Promise<{ id?: number; counter?: ReturnType<typeof conditionFailureItem> }> {
    const obsolete = this.#obsolete;
    const removed = obsolete.map((name, i) => [`#removed${i}`, name] as const);
    const removal =
      removed.length > 0 ? `REMOVE ${removed.map(([placeholder]) => placeholder).join(", ")}` : "";
    const isTimeInOrder =
      "(attribute_not_exists(allocatedAt) OR allocatedAt <= :time OR NOT allocatedAt <= :latest)";
    try {
      const output = await this.#updateCounter({
        UpdateExpression: `SET #entry = if_not_exists(#last, :zero) + :one${
          time ? ", allocatedAt = :time" : ""
        } ADD #last :one ${removal}`,
        ConditionExpression: `attribute_not_exists(#entry) AND ${isFenceBefore}${time ? ` AND ${isTimeInOrder}` : ""}`,
        ExpressionAttributeNames: { "#last": "last", "#entry": entry, ...Object.fromEntries(removed) },
        ExpressionAttributeValues: {
          ":zero": 0,
          ":one": 1,
          ...(time && { ":time": time, ":latest": latest }),
          ...fenceValues(entry),
        },
        ReturnValues: "ALL_NEW",
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });
      const counter = output.Attributes ?? {};
      const rest = this.#obsolete.filter((name) => !obsolete.includes(name));
      this.#obsolete = isAnswered(output) ? [...rest, entry] : rest;
      await this.#limitEntries(counter);
      return { id: Number(counter.last) };
    } catch (error) {
      const counter = conditionFailureItem(error);
      if (counter === undefined) return { id: await this.#abandon(entry, error) };
      const own = counter[entry];
      return own ? { id: Number(own.N) } : { counter };
    }
  }

  /**
   * Ends an allocation whose outcome is unknown: an entry without an id keeps its attempts away.
   *
   * @returns the id, if an attempt has allocated it
   * @throws error otherwise
   */
  async #abandon(entry: string, error: unknown): Promise<number> {
    const { Attributes: counter = {} } = await this.#updateCounter({
      UpdateExpression: "SET #entry = if_not_exists(#entry, :none)",
      ExpressionAttributeNames: { "#entry": entry },
      ExpressionAttributeValues: { ":none": 0 },
      ReturnValues: "ALL_NEW",
    });
    if (counter[entry] === 0) throw error;
    return Number(counter[entry]);
  }

  /**
   * Removes the oldest entries if processes have left too many behind: those that end after few allocations, or whose
   * attempts were repeated. The fence follows, so that late attempts of the removed ones stay without effect. It may
   * fail, since it is tried again.
   */
  async #limitEntries(counter: Readonly<Record<string, unknown>>): Promise<void> {
    const entries = Object.keys(counter)
      .filter((name) => name.startsWith(ENTRY_PREFIX))
      .sort();
    const removed = entries.slice(0, -KEPT_ENTRIES).slice(0, MAX_REMOVALS);
    if (removed.length === 0 || Number(counter.last) % REMOVAL_INTERVAL !== 0) return;
    const fence = String(removed.at(-1));
    const isLater = { ConditionExpression: isFenceBefore, ExpressionAttributeValues: fenceValues(fence) };
    await Promise.allSettled([this.#updateCounter(updateOf({ fence }, isLater, removed))]);
  }

  #updateCounter(update: Omit<UpdateCommandInput, "TableName" | "Key">): Promise<UpdateCommandOutput> {
    return this.#client.send(new UpdateCommand({ TableName: this.#table, Key: COUNTER_KEY, ...update }));
  }

  /**
   * Keeps the ids that are allocated so far from being released and allocated again: a creation that fails from now
   * on marks its id as deleted instead. One call.
   *
   * @returns the last allocated id, and the last one that `markRepaired` was called with; 0 for none
   */
  async raiseFloor(): Promise<{ last: number; repairedTo: number }> {
    try {
      const { Attributes: { last, repairedTo = 0 } = {} } = await this.#updateCounter({
        UpdateExpression: "SET #floor = #last",
        ConditionExpression: "attribute_exists(#last)",
        ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
        ReturnValues: "ALL_NEW",
      });
      return { last: Number(last), repairedTo: Number(repairedTo) };
    } catch (error) {
      if (isErrorNamed(error, "ConditionalCheckFailedException")) return { last: 0, repairedTo: 0 };
      throw error;
    }
  }

  /** Stores that the ids up to this one need no further repair. One call. */
  async markRepaired(id: number): Promise<void> {
    await this.#updateCounter(updateOf({ repairedTo: id }));
  }

  /**
   * Ends a creation that failed or whose outcome is unknown: releases its id if it is the last allocated one, and
   * marks it as deleted otherwise.
   *
   * @param token of the transaction that creates the record. DynamoDB refuses a token that another transaction has
   *   used: no late attempt can write the record afterwards
   * @returns true if the record exists after all, written by an attempt whose response was lost
   * @throws ApiError `ServiceUnavailable` if the outcome stays unknown; the id stays allocated
   */
  async releaseOrTombstone(
    id: number,
    key: Readonly<Record<string, unknown>>,
    token: string = crypto.randomUUID(),
  ): Promise<boolean> {
    const recordIsAbsent: TransactionItem = {
      ConditionCheck: { TableName: this.#table, Key: key, ...itemIsAbsent },
    };
    const release: TransactionItem = {
      Update: {
        TableName: this.#table,
        Key: COUNTER_KEY,
        UpdateExpression: "ADD #last :minusOne",
        ConditionExpression: "#last = :id AND (attribute_not_exists(#floor) OR #floor < :id)",
        ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
        ExpressionAttributeValues: { ":id": id, ":minusOne": -1 },
      },
    };
    for (const end of [[release], this.tombstone(id)]) {
      try {
        const TransactItems = [recordIsAbsent, ...end];
        await this.#client.send(new TransactWriteCommand({ ClientRequestToken: token, TransactItems }));
        return false;
      } catch (error) {
        if (isErrorNamed(error, "IdempotentParameterMismatchException")) return true;
        const codes = cancellationCodes(error);
        if (codes === undefined) throw error;
        if (codes[0] === "ConditionalCheckFailed") return true;
      }
    }
    throw new Error(`The id ${id} could neither be released nor be marked as deleted`);
  }

  /**
   * Marks an id as deleted, and counts it. Both belong in the transaction that deletes the record: done twice, they
   * would corrupt the bitmap.
   */
  tombstone(id: number): TransactionItem[] {
    const { block, attribute, bit } = tombstoneBit(id);
    const add = (Key: Record<string, unknown>, name: string, value: number | bigint) => ({
      Update: {
        TableName: this.#table,
        Key,
        UpdateExpression: `ADD ${name} :value`,
        ExpressionAttributeValues: { ":value": value },
      },
    });
    return [add(bitmapKey(block), attribute, bit), add(deletedCountKey(groupOf(block)), "n", 1)];
  }

  /**
   * Reads the counter and the numbers of deleted ids. One call and a read unit per 4 KB, which is up to 4 million ids
   * if every group has deletions.
   */
  async read(): Promise<AllocatedIds> {
    const from = COUNTER_KEY.sk;
    const items = await queryAll(this.#client, rangeQuery(this.#table, PARTITION, from));
    const counter = items.find((item) => item.sk === from);
    const counts = items.filter((item) => item !== counter);
    return {
      last: Number(counter?.last ?? 0),
      deleted: new Map(counts.map(({ sk, n }) => [Number(sk), Number(n) || 0])),
    };
  }

  async bitmaps(group: number): Promise<Map<number, bigint>> {
    const items = await queryAll(this.#client, rangeQuery(this.#table, bitmapPartition(group)));
    return new Map(items.map((item) => [Number(item.sk), bitmapOf(item)]));
  }
}

/** The name of a new entry of the counter, which sorts behind those before it and behind another one. */
function newEntry(after = ""): string {
  return ENTRY_PREFIX + newRevision(Date.now(), after.slice(ENTRY_PREFIX.length));
}

/** Later names come from a wrong clock. */
function latestEntry(): string {
  return ENTRY_PREFIX + newRevision(Date.parse(latestPlausible(new Date())));
}

/** The condition that no entry has been removed that is as new as `:entry`, unless its name comes from a wrong clock. */
const isFenceBefore = "(attribute_not_exists(fence) OR fence < :entry OR fence > :latestEntry)";

function fenceValues(entry: string) {
  return { ":entry": entry, ":latestEntry": latestEntry() };
}
