import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DamagedRecord } from "../domain/errors.ts";
import { unchanged, updateOf } from "../dynamodb/expressions.ts";
import { getItem, mapConcurrently, queryAll, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { transact } from "../dynamodb/writes.ts";
import { bitmapKey, deletedCountKey, IdAllocation } from "./id-allocation.ts";
import { BLOCK_SIZE, bitsSet, blockOf, compareBitmap, groupOf } from "./id-blocks.ts";
import { findDamaged, repairEntries, type StoredRecords } from "./record-repair.ts";

/** Far longer than the 20 s that a function may run. */
export const CREATIONS_END_AFTER_MS = 60_000;

export interface IdTable {
  readonly name: string;
  readonly stored?: StoredRecords | undefined;
}

/** What was wrong in one table, and is repaired unless it was a dry run. */
export interface IdRepairResult<T extends IdTable = IdTable> {
  readonly table: T;
  readonly last: number;
  /** Ids that had no record and were not marked as deleted. */
  readonly unmarked: number;
  /** Ids marked as deleted although their record exists, and marks that could not be read. */
  readonly mismarked: number;
  /** Numbers of deleted ids that differed from the bitmaps. */
  readonly miscounted: number;
  /** Entries of records that were missing, or left from others. */
  readonly entries: number;
  /** What cannot be repaired, in a sentence for each record. */
  readonly damaged: readonly string[];
}

export interface IdRepairOptions<T extends IdTable> {
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly isDryRun?: boolean;
  /** Skips the blocks in which no id was allocated since the last incremental repair. */
  readonly isIncremental?: boolean;
  readonly onTable?: (result: IdRepairResult<T>) => void;
}

/**
 * Compares the bitmaps of deleted ids with the records and corrects them (docs/adr/0003). Safe beside live traffic: it
 * compares only ids whose creations have ended, reads a bitmap before its records and a number before its bitmaps, and
 * writes each only if it is unchanged. @throws ApiError `ServiceUnavailable`
 */
export async function repairIds<T extends IdTable>(
  client: DynamoDBClient,
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
  for (const each of allocated) {
    const result = await repairTable(client, each, isDryRun, isIncremental);
    onTable?.(result);
    results.push(result);
  }
  return results;
}

async function repairTable<T extends IdTable>(
  client: DynamoDBClient,
  { table, ids, last, from }: { table: T; ids: IdAllocation; last: number; from: number },
  isDryRun: boolean,
  isIncremental: boolean,
): Promise<IdRepairResult<T>> {
  const none = { unmarked: 0, mismarked: 0, miscounted: 0, entries: 0 };
  const result = { table, last, ...none, damaged: [] as string[] };
  for (let group = 0; last > 0 && group <= groupOf(blockOf(last)); group += 1)
    if (await recount(client, table, group, isDryRun)) result.miscounted += 1;
  for (let block = blockOf(from); from <= last && block <= blockOf(last); block += 1) {
    const found = await repairBlock(client, table, block, last, isDryRun);
    for (const name of ["unmarked", "mismarked", "entries"] as const) result[name] += found[name];
    result.damaged.push(...found.damaged);
    if (isIncremental) await ids.markRepaired(Math.min(last, (block + 1) * BLOCK_SIZE));
  }
  return result;
}

async function repairBlock(
  client: DynamoDBClient,
  table: IdTable,
  block: number,
  last: number,
  isDryRun: boolean,
) {
  const { name, stored } = table;
  for (;;) {
    const bitmap = (await getItem(client, name, bitmapKey(block))) ?? {};
    const read = await queryAll(client, rangeQuery(name, String(block)));
    const isMisplaced = ({ sk }: StoredItem) => !Number.isInteger(sk) || blockOf(Number(sk)) !== block;
    // Later ones belong to creations that began after the repair.
    const compared = read.filter((item) => !isMisplaced(item) && Number(item.sk) <= last);
    const items = new Map(compared.map((item) => [Number(item.sk), item]));
    const difference = compareBitmap(bitmap, block, last, new Set(items.keys()));
    const isRight = difference.changes.length === 0 || isDryRun;
    if (!isRight && !(await updateBitmap(client, table, block, bitmap, difference))) continue;
    const first = block * BLOCK_SIZE + 1;
    const ids = Array.from({ length: Math.min(BLOCK_SIZE, last - first + 1) }, (_, i) => first + i);
    const range = { ids, items };
    const damaged = read
      .filter(isMisplaced)
      .map(({ sk }) => new DamagedRecord(Number(sk), `its key has the block ${block}`).message);
    if (stored) damaged.push(...(await findDamaged(client, name, stored, range)));
    const entries = stored?.entries ? await repairEntries(client, name, stored.entries, range, isDryRun) : 0;
    const mismarked = difference.mismarked + difference.malformed;
    return { unmarked: difference.unmarked, mismarked, damaged, entries };
  }
}

/**
 * Changes a bitmap and its number of deleted ids; false if it has changed. A new token shows also what changed twice.
 */
async function updateBitmap(
  client: DynamoDBClient,
  { name }: IdTable,
  block: number,
  { repairToken }: StoredItem,
  { changes: words, unmarked, mismarked }: ReturnType<typeof compareBitmap>,
): Promise<boolean> {
  const set = words.filter(({ to }) => to > 0n).map(({ attribute, to }) => [attribute, to]);
  const removed = words.filter(({ to }) => to === 0n).map(({ attribute }) => attribute);
  const seen = Object.fromEntries(words.map(({ attribute, from }) => [attribute, from]));
  const update = updateOf(
    { repairToken: crypto.randomUUID(), ...Object.fromEntries(set) },
    unchanged({ repairToken, ...seen }),
    removed,
  );
  const count = {
    Key: deletedCountKey(groupOf(block)),
    UpdateExpression: "ADD n :change",
    ExpressionAttributeValues: { ":change": unmarked - mismarked },
  };
  const refused = await transact(client, {
    bitmap: { Update: { TableName: name, Key: bitmapKey(block), ...update } },
    count: { Update: { TableName: name, ...count } },
  });
  return refused.size === 0;
}

/** Corrects the number of deleted ids. Returns whether it was wrong. */
async function recount(client: DynamoDBClient, { name }: IdTable, group: number, isDryRun: boolean) {
  const key = deletedCountKey(group);
  const read = async () => (await getItem(client, name, key)) ?? {};
  for (;;) {
    const { n, repairToken } = await read();
    const bitmaps = await new IdAllocation(client, name).bitmaps(group);
    const marked = [...bitmaps.values()].reduce((sum, bitmap) => sum + bitsSet(bitmap), 0);
    if (Number(n ?? 0) === marked) return false;
    const update = updateOf({ n: marked, repairToken: crypto.randomUUID() }, unchanged({ n, repairToken }));
    // A deletion between the reads changes both.
    const isCurrent = isDryRun
      ? String((await read()).n) === String(n)
      : (await transact(client, { count: { Update: { TableName: name, Key: key, ...update } } })).size === 0;
    if (isCurrent) return true;
  }
}
