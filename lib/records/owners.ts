import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { tooManyConflicts } from "../dynamodb/contention.ts";
import { allOf, itemExists, unchanged, updateOf } from "../dynamodb/expressions.ts";
import { getItem, queryAll, rangeQuery, type StoredItem } from "../dynamodb/query.ts";
import { type TransactionItem, transact } from "../dynamodb/writes.ts";
import { recordKey } from "./id-blocks.ts";
import { newRevision } from "./revision.ts";

// A record that belongs to an account has its username as `owner`, and an entry in the owner's partition, from
// which the owner's records are listed (docs/adr/0030).

export function ownerPartition(owner: string): string {
  return `owner#${owner}`;
}

export function ownerOf({ owner }: StoredItem): string | undefined {
  return typeof owner === "string" ? owner : undefined;
}

/** Writes or deletes the entry of a record in its owner's partition; nothing if it has no owner. */
export function ownerEntry(TableName: string, item: StoredItem, write: "Put" | "Delete"): TransactionItem[] {
  const owner = ownerOf(item);
  if (owner === undefined) return [];
  const key = { pk: ownerPartition(owner), sk: item.sk };
  return [write === "Put" ? { Put: { TableName, Item: key } } : { Delete: { TableName, Key: key } }];
}

/** The ids of an account's records, also of deleted ones whose entries are left. One call per MB. */
export async function idsOfOwner(client: DynamoDBClient, table: string, owner: string): Promise<number[]> {
  const entries = await queryAll(client, rangeQuery(table, ownerPartition(owner)));
  return entries.map(({ sk }) => Number(sk));
}

/**
 * Makes an account, or nobody, the owner of a record, which counts as a change. Two calls. False if there is none.
 * @throws ApiError `ServiceUnavailable`, also if the record was changed in between
 */
export async function giveRecord(client: DynamoDBClient, TableName: string, id: number, owner?: string) {
  const before = await getItem(client, TableName, recordKey(id));
  if (before === undefined) return false;
  const { revision } = before;
  const isSame = allOf(itemExists, unchanged({ owner: before.owner, revision }));
  const changes = { owner, revision: newRevision(Date.now(), revision as string | undefined) };
  const update = updateOf(changes, isSame, owner === undefined ? ["owner"] : []);
  const refused = await transact(client, {
    record: { Update: { TableName, Key: recordKey(id), ...update } },
    entries: [
      ...(before.owner === owner ? [] : ownerEntry(TableName, before, "Delete")),
      ...ownerEntry(TableName, { sk: id, owner }, "Put"),
    ],
  });
  if (refused.size > 0) throw tooManyConflicts();
  return true;
}
