import { randomBytes } from "node:crypto";
import { MAX_ATTEMPTS, tooManyConflicts } from "../dynamodb/contention.ts";
import { updateOf } from "../dynamodb/expressions.ts";
import { queryAll, rangeQuery } from "../dynamodb/query.ts";
import { TableAccess } from "../dynamodb/table-access.ts";
import { type TransactionItem, transact, type UpdateResult, updateItem } from "../dynamodb/writes.ts";
import { type AllocatedIds, bitmapOf, groupOf, tombstoneBit } from "./id-blocks.ts";
import { timeOfChange } from "./revision.ts";

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

export interface AllocatedId {
  readonly id: number;
  readonly time: string;
  readonly allocation: string;
}

/** The ids of one table: a counter, and bitmaps and numbers of deleted ids (docs/adr/0003). */
export class IdAllocation extends TableAccess {
  /**
   * Allocates the next id. One call. A repeated attempt finds its own name on the counter; if another one came in
   * between, an id is lost until the repair. @param now for a timestamp as well, not before that of a smaller id
   */
  async allocate(now?: Date): Promise<AllocatedId> {
    let time = now?.toISOString() ?? "";
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const allocation = randomBytes(6).toString("base64url");
      const { isDone, item } = await this.#updateCounter(increment(allocation, time));
      if (isDone || item.allocation === allocation) return { id: Number(item.last), time, allocation };
      if (now) time = timeOfChange(item.allocatedAt, now);
    }
    throw tooManyConflicts();
  }

  #updateCounter(update: Omit<Parameters<typeof updateItem>[1], "TableName" | "Key">): Promise<UpdateResult> {
    return updateItem(this.client, { TableName: this.table, Key: COUNTER_KEY, ...update });
  }

  /** Releases the id of a creation that failed, if it is the last one, or tombstones it. The repair finds the rest. */
  async releaseOrTombstone({ id, allocation }: AllocatedId): Promise<void> {
    const { isDone, isUncertain } = await this.#updateCounter({
      UpdateExpression: "REMOVE allocation ADD #last :minusOne",
      // A late attempt of the allocation may have allocated another id.
      ConditionExpression:
        "allocation = :allocation AND #last = :id AND (attribute_not_exists(#floor) OR #floor < :id)",
      ExpressionAttributeNames: { "#last": "last", "#floor": "floor" },
      ExpressionAttributeValues: { ":id": id, ":allocation": allocation, ":minusOne": -1 },
    });
    if (isDone || isUncertain) return;
    await transact(this.client, { id: this.tombstone(id) });
  }

  /**
   * A creation that fails from now on tombstones its id instead of releasing it. One call.
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

  /** Belongs in the transaction that deletes the record: done twice, it would corrupt the bitmap. */
  tombstone(id: number): TransactionItem[] {
    const { block, attribute, bit } = tombstoneBit(id);
    const add = (Key: Record<string, unknown>, name: string, value: number | bigint) => ({
      Update: {
        TableName: this.table,
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
    for (const item of await queryAll(this.client, rangeQuery(this.table, PARTITION, COUNTER_KEY.sk)))
      if (item.sk === COUNTER_KEY.sk) last = Number(item.last ?? 0);
      else deleted.set(Number(item.sk), Number(item.n) || 0);
    return { last, deleted };
  }

  async bitmaps(group: number): Promise<Map<number, bigint>> {
    const items = await queryAll(this.client, rangeQuery(this.table, bitmapPartition(group)));
    return new Map(items.map((item) => [Number(item.sk), bitmapOf(item)]));
  }
}

function increment(allocation: string, time: string) {
  // Comparisons with an attribute that does not exist, or has another type, are false.
  const isInOrder = time && " AND NOT (allocatedAt > :time)";
  return {
    UpdateExpression: `SET allocation = :allocation${time && ", allocatedAt = :time"} ADD #last :one`,
    ConditionExpression: `NOT (allocation = :allocation)${isInOrder}`,
    ExpressionAttributeNames: { "#last": "last" },
    ExpressionAttributeValues: { ":allocation": allocation, ":one": 1, ...(time && { ":time": time }) },
  };
}
