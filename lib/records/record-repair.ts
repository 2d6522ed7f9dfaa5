import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { DamagedRecord } from "../domain/errors.ts";
import { batchGet, type ItemKey } from "../dynamodb/batch.ts";
import { decode, withoutDamaged } from "../dynamodb/decode.ts";
import { itemIsAbsent, unchanged } from "../dynamodb/expressions.ts";
import { mapConcurrently, queryAll, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { transact, transactGet } from "../dynamodb/writes.ts";
import { recordKey } from "./id-blocks.ts";

export interface StoredRecords {
  readonly schema: z.ZodMiniType;
  readonly partKey?: (id: number) => ItemKey;
  /** Each text has an entry in another partition, under the id of the record. */
  readonly entries?: { readonly attribute: string; readonly partitionOf: (text: string) => string };
}

interface RecordRange {
  readonly ids: readonly number[];
  readonly items: ReadonlyMap<number, StoredItem>;
}

/** Finds what nothing can repair: unreadable records, and items without their counterpart. */
export async function findDamaged(
  client: DynamoDBClient,
  table: string,
  { schema, partKey }: StoredRecords,
  { ids, items }: RecordRange,
): Promise<string[]> {
  const damaged: string[] = [];
  withoutDamaged(
    [...items.values()],
    (item) => decode(schema, item),
    (found) => damaged.push(...found),
  );
  if (partKey === undefined) return damaged;
  const parts = await batchGet(client, table, ids.map(partKey), { isConsistent: false, attributes: ["sk"] });
  const withPart = new Set(parts.map(({ sk }) => Number(sk)));
  for (const id of ids.filter((id) => withPart.has(id) !== items.has(id))) {
    // It may have been deleted after its record was read.
    const [record, part] = await transactGet(client, table, [recordKey(id), partKey(id)]);
    const [name = ""] = partKey(id).pk.split("#");
    if (record && !part) damaged.push(new DamagedRecord(id, name).message);
    if (part && !record) damaged.push(new DamagedRecord(id, `only its ${name} exists`).message);
  }
  return damaged;
}

/** Adds missing entries of records and deletes those of others. @returns how many were wrong */
export async function repairEntries(
  client: DynamoDBClient,
  table: string,
  { attribute, partitionOf }: NonNullable<StoredRecords["entries"]>,
  { ids, items }: RecordRange,
  isDryRun: boolean,
): Promise<number> {
  const expected = new Map<string, Set<number>>();
  const unreadable = new Set<number>();
  for (const [id, item] of items) {
    const { data: texts } = z.array(z.string()).safeParse(item[attribute]);
    if (texts === undefined) unreadable.add(id);
    for (const pk of texts?.map(partitionOf) ?? []) expected.set(pk, (expected.get(pk) ?? new Set()).add(id));
  }
  let wrong = 0;
  await mapConcurrently([...expected], async ([pk, withEntry]) => {
    const stored = await queryAll(client, rangeQuery(table, pk, ids[0], ids.at(-1)));
    const found = new Set(stored.map(({ sk }) => Number(sk)));
    const isWrong = (id: number) => withEntry.has(id) !== found.has(id) && !unreadable.has(id);
    for (const sk of [...new Set([...withEntry, ...found])].filter(isWrong)) {
      const item = items.get(sk);
      const isUnchanged = item ? unchanged({ [attribute]: item[attribute] }) : itemIsAbsent;
      const record = { ConditionCheck: { TableName: table, Key: recordKey(sk), ...isUnchanged } };
      const entry = withEntry.has(sk)
        ? { Put: { TableName: table, Item: { pk, sk } } }
        : { Delete: { TableName: table, Key: { pk, sk } } };
      if (isDryRun || (await transact(client, { record, entry })).size === 0) wrong += 1;
    }
  });
  return wrong;
}
