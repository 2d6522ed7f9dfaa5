import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { unchanged, updateOf } from "../dynamodb/expressions.ts";
import { getItem, mapConcurrently, queryAll, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { transactWrite } from "../dynamodb/transaction.ts";
import { bitmapKey, deletedCountKey, IdAllocation } from "../records/id-allocation.ts";
import {
  BLOCK_SIZE,
  bitsSet,
  blockOf,
  blocksOf,
  compareBitmap,
  groupOf,
  type WordChange,
} from "../records/id-blocks.ts";

/** Far longer than the 20 s that a function may run: a creation that began before that has ended. */
export const CREATIONS_END_AFTER_MS = 60_000;

/** A table of records under ids. */
export interface IdTable {
  readonly name: string;
}

/** What was wrong in one table, and is repaired unless it was a dry run. */
export interface IdRepairResult<T extends IdTable = IdTable> {
  readonly table: T;
  /** The ids up to this one were compared with the records. */
  readonly last: number;
  /** How many ids had no record and were not marked as deleted. */
  readonly unmarked: number;
  /** How many ids were marked as deleted although their record exists. */
  readonly mismarked: number;
}

export interface IdRepairOptions<T extends IdTable> {
  /** Waits a number of milliseconds. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** Only compares. */
  readonly isDryRun?: boolean;
  /** Skips the blocks in which no id was allocated since the last incremental repair. */
  readonly isIncremental?: boolean;
  /** Called after each table. */
  readonly onTable?: (result: IdRepairResult<T>) => void;
}

/**
 * Compares the bitmaps of deleted ids with the records and corrects them. A crash between the counter and the put, or
 * a long outage, leaves an allocated id without a record (docs/adr/0003); totals and pages are off by one until then.
 *
 * It is safe beside live traffic, and may run as often as desired:
 *
 * - It compares only the ids that were allocated before it began, after their creations have ended. Meanwhile
 *   `IdAllocation.raiseFloor` keeps these ids from being released and allocated again.
 * - It reads a bitmap before the block's records, and writes it only if it is unchanged. If a record was deleted in
 *   between, it reads both again.
 * - It reads the number of a group's deleted ids before the bitmaps that it counts, and writes it in the same way.
 *
 * It reads every record once, one block at a time. The repair that runs every day is incremental: what is right stays
 * right, since no creation is running any more and a deletion marks its id in its own transaction.
 *
 * @throws ApiError `ServiceUnavailable`; bitmaps repaired until then stay repaired, the others are unchanged
 */
export async function repairIds<T extends IdTable>(
  client: DynamoDBDocumentClient,
  tables: readonly T[],
  { wait, isDryRun = false, isIncremental = false, onTable }: IdRepairOptions<T>,
): Promise<IdRepairResult<T>[]> {
  const allocated = await mapConcurrently(tables, async (table) => {
    const ids = new IdAllocation(client, table.name);
    const { last, repairedTo = 0 } = isDryRun ? { last: (await ids.read()).last } : await ids.raiseFloor();
    return { table, ids, last, from: isIncremental ? repairedTo + 1 : 1 };
  });
  if (allocated.some(({ last, from }) => last >= from)) await wait(CREATIONS_END_AFTER_MS);
  const results: IdRepairResult<T>[] = [];
  for (const { table, ids, last, from } of allocated) {
    let unmarked = 0;
    let mismarked = 0;
    const blocks = Array.from({ length: blockOf(last) - blockOf(from) + 1 }, (_, i) => blockOf(from) + i);
    for (const block of last >= from ? blocks : []) {
      const difference = await repairBlock(client, table, block, last, isDryRun);
      unmarked += difference.unmarked;
      mismarked += difference.mismarked;
      const isEndOfGroup = blocksOf(groupOf(block), last).at(-1) === block;
      if (!isDryRun && (isIncremental || isEndOfGroup)) await recount(client, table, groupOf(block));
      // After each block, so that a repair that is interrupted is continued by the next one.
      if (isIncremental) await ids.markRepaired(Math.min(last, (block + 1) * BLOCK_SIZE));
    }
    const result = { table, last, unmarked, mismarked };
    onTable?.(result);
    results.push(result);
  }
  return results;
}

async function repairBlock(
  client: DynamoDBDocumentClient,
  table: IdTable,
  block: number,
  last: number,
  isDryRun: boolean,
) {
  for (;;) {
    const bitmap = (await getItem(client, table.name, bitmapKey(block))) ?? {};
    const difference = compareBitmap(bitmap, block, last, await recordIds(client, table, block));
    if (difference.changes.length === 0 || isDryRun) return difference;
    if (await updateBitmap(client, table, block, bitmap, difference.changes)) return difference;
  }
}

async function recordIds(client: DynamoDBDocumentClient, { name }: IdTable, block: number) {
  const items = await queryAll(client, { ...rangeQuery(name, String(block)), ProjectionExpression: "sk" });
  return new Set(items.map(({ sk }) => Number(sk)));
}

/**
 * Changes a bitmap if it is as it was read. Each repair stores a new token: otherwise a bit that another repair has
 * cleared and a deletion has set again would look unchanged.
 *
 * @returns false if the bitmap has changed
 */
function updateBitmap(
  client: DynamoDBDocumentClient,
  { name }: IdTable,
  block: number,
  { repairToken }: StoredItem,
  words: readonly WordChange[],
): Promise<boolean> {
  const set = words.filter(({ to }) => to > 0n).map(({ attribute, to }) => [attribute, to]);
  const removed = words.filter(({ to }) => to === 0n).map(({ attribute }) => attribute);
  const seen = Object.fromEntries(words.map(({ attribute, from }) => [attribute, from]));
  const update = updateOf(
    { repairToken: crypto.randomUUID(), ...Object.fromEntries(set) },
    unchanged({ repairToken, ...seen }),
    removed,
  );
  return transactWrite(client, [{ Update: { TableName: name, Key: bitmapKey(block), ...update } }]);
}

/** Sets the number of a group's deleted ids to what its bitmaps mark. */
async function recount(client: DynamoDBDocumentClient, { name }: IdTable, group: number): Promise<void> {
  for (;;) {
    const key = deletedCountKey(group);
    const { n, repairToken } = (await getItem(client, name, key)) ?? {};
    const bitmaps = await new IdAllocation(client, name).bitmaps(group);
    const marked = [...bitmaps.values()].reduce((sum, bitmap) => sum + bitsSet(bitmap), 0);
    if (Number(n ?? 0) === marked) return;
    const update = updateOf({ n: marked, repairToken: crypto.randomUUID() }, unchanged({ n, repairToken }));
    if (await transactWrite(client, [{ Update: { TableName: name, Key: key, ...update } }])) return;
  }
}
