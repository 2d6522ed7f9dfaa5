import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { isErrorNamed } from "../dynamodb/client.ts";
import { MAX_ATTEMPTS, tooManyConflicts } from "../dynamodb/contention.ts";
import { itemIsAbsent, updateOf } from "../dynamodb/expressions.ts";
import { queryAll, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { type TransactionItem, transact } from "../dynamodb/transaction.ts";
import { type UpdateResult, updateItem } from "../dynamodb/update.ts";
import { epochOf, newOperation, operationsOn, updateExactlyOnce } from "./exactly-once.ts";
import { type AllocatedIds, bitmapOf, groupOf, recordKey, tombstoneBit } from "./id-blocks.ts";
import { latestPlausible, NO_LIMIT, timeOfChange } from "./revision.ts";

export type Order = "ascending" | "descending";

const PARTITION = "ids";
/** Sorts before every number of deleted ids. */
export const COUNTER_KEY = { pk: PARTITION, sk: -1 };

/** The item's attribute `n` is the number of deleted ids. */
export function deletedCountKey(group: number): { pk: string; sk: number } {
  return { pk: PARTITION, sk: group };
}

function bitmapPartition(group: number): string {
  return `deleted#${group}`;
}

export function bitmapKey(block: number): { pk: string; sk: number } {
  return { pk: bitmapPartition(groupOf(block)), sk: block };
}

/**
 * The counter keeps so many operations of processes that allocate no more. The item stays below 1 KB, one
 * write unit: an operation has at most 18 bytes, the rest fewer than 200.
 */
const KEPT_OPERATIONS = 24;
/** Beyond this number they are removed at once, in a call of its own. */
const MAX_OPERATIONS = 40;
/** An update expression has at most 4 KB. */
const MAX_REMOVALS = 100;

/** The ids of one table: a counter, and bitmaps and numbers of deleted ids (docs/adr/0003). */
export class IdAllocation {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #counter: { readonly TableName: string; readonly Key: typeof COUNTER_KEY };
  #epoch = 0;
  readonly #obsolete = new Set<string>();

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
    this.#counter = { TableName: table, Key: COUNTER_KEY };
  }

  /**
   * Allocates the next id. One call, and at times one more (see `MAX_OPERATIONS`).
   *
   * @param now for a timestamp (ISO 8601) as well, not before that of a smaller id unless that comes from a
   *   wrong clock: one more call each time that the last one is ahead of ours
   */
  async allocate(now?: Date): Promise<{ id: number; time: string }> {
    let time = now?.toISOString() ?? "";
    let latest = NO_LIMIT;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const operation = newOperation();
      const removed = [...this.#obsolete].slice(0, MAX_REMOVALS);
      const { isDone, item: counter } = await updateExactlyOnce(this.#client, this.#counter, {
        operation,
        epoch: this.#epoch,
        ...increment(removed, time, latest),
      });
      this.#epoch = epochOf(counter);
      if (isDone) {
        for (const name of removed) this.#obsolete.delete(name);
        this.#obsolete.add(operation);
        await this.#limitOperations(counter);
        return { id: Number(counter[operation]), time };
      }
      if (now && counter.allocatedAt) time = timeOfChange(counter.allocatedAt, now);
      if (now) latest = latestPlausible(now);
    }
    throw tooManyConflicts();
  }

  /** It may fail, since the next allocation tries again. */
  async #limitOperations(counter: StoredItem): Promise<void> {
    const operations = operationsOn(counter);
    if (operations.length <= KEPT_OPERATIONS) return;
    operations.sort((a, b) => Number(counter[a]) - Number(counter[b]));
    const oldest = operations.slice(0, -KEPT_OPERATIONS);
    for (const operation of oldest) this.#obsolete.add(operation);
    if (operations.length <= MAX_OPERATIONS) return;
    await Promise.allSettled([this.#updateCounter(updateOf({}, undefined, oldest.slice(0, MAX_REMOVALS)))]);
  }

  #updateCounter(update: Omit<Parameters<typeof updateItem>[1], "TableName" | "Key">): Promise<UpdateResult> {
    return updateItem(this.#client, { ...this.#counter, ...update });
  }

  /**
   * A creation that fails from now on tombstones its id instead of releasing it. One call.
   *
   * @returns the last allocated id, and that of the last `markRepaired`; 0 for none
   */
  async raiseFloor(): Promise<{ last: number; repairedTo: number }> {
    const { item } = await this.#updateCounter({
      UpdateExpression: "SET #floor = #last",
      ConditionExpression: "attribute_exists(#last)",
      ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
    });
    return { last: Number(item.last ?? 0), repairedTo: Number(item.repairedTo ?? 0) };
  }

  /** Stores that the ids up to this one need no further repair. One call. */
  async markRepaired(id: number): Promise<void> {
    await this.#updateCounter(updateOf({ repairedTo: id }));
  }

  /**
   * Ends a creation that failed or whose outcome is unknown: releases its id if it is the last one, or
   * tombstones it. One call, and one more for a tombstone.
   *
   * @param token of the transaction that creates the record, which no late attempt can write afterwards
   * @returns true if the record exists after all, written by an attempt whose response was lost
   * @throws ApiError `ServiceUnavailable` if the outcome stays unknown; the id stays allocated
   */
  async releaseOrTombstone(id: number, token: string = crypto.randomUUID()): Promise<boolean> {
    const record = { ConditionCheck: { TableName: this.#table, Key: recordKey(id), ...itemIsAbsent } };
    const release = {
      Update: {
        ...this.#counter,
        UpdateExpression: "ADD #last :minusOne",
        ConditionExpression: "#last = :id AND (attribute_not_exists(#floor) OR #floor < :id)",
        ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
        ExpressionAttributeValues: { ":id": id, ":minusOne": -1 },
      },
    };
    try {
      for (const counter of [release, this.tombstone(id)]) {
        const refused = await transact(this.#client, { record, counter }, token);
        if (refused.size === 0) return false;
        if (refused.has("record")) return true;
      }
    } catch (error) {
      if (isErrorNamed(error, "IdempotentParameterMismatchException")) return true;
      throw error;
    }
    throw new Error(`The id ${id} could neither be released nor be marked as deleted`);
  }

  /** Belongs in the transaction that deletes the record: done twice, it would corrupt the bitmap. */
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

  /** Reads the counter and the numbers of deleted ids. One call; a read unit per 4 million ids at most. */
  async read(): Promise<AllocatedIds> {
    let last = 0;
    const deleted = new Map<number, number>();
    for (const item of await queryAll(this.#client, rangeQuery(this.#table, PARTITION, COUNTER_KEY.sk)))
      if (item.sk === COUNTER_KEY.sk) last = Number(item.last ?? 0);
      else deleted.set(Number(item.sk), Number(item.n) || 0);
    return { last, deleted };
  }

  async bitmaps(group: number): Promise<Map<number, bigint>> {
    const items = await queryAll(this.#client, rangeQuery(this.#table, bitmapPartition(group)));
    return new Map(items.map((item) => [Number(item.sk), bitmapOf(item)]));
  }
}

/** @param latest later timestamps on the counter are ignored */
function increment(removed: readonly string[], time: string, latest: string) {
  const names: Record<string, string> = {};
  for (const name of removed) names[`#removed${Object.keys(names).length}`] = name;
  const setTime = time && ", allocatedAt = :time";
  const removal = removed.length > 0 ? `REMOVE ${Object.keys(names).join(", ")}` : "";
  const isTimeInOrder =
    "(attribute_not_exists(allocatedAt) OR allocatedAt <= :time OR NOT allocatedAt <= :latest)";
  return {
    UpdateExpression: `SET #operation = if_not_exists(#last, :zero) + :one${setTime} ADD #last :one ${removal}`,
    ...(time && { ConditionExpression: isTimeInOrder }),
    ExpressionAttributeNames: { "#last": "last", ...names },
    ExpressionAttributeValues: { ":zero": 0, ":one": 1, ...(time && { ":time": time, ":latest": latest }) },
  };
}
