import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { fromRawItem } from "../lib/dynamodb/attribute-values.ts";
import { itemIsAbsent, unchanged } from "../lib/dynamodb/expressions.ts";
import { transact, transactGet } from "../lib/dynamodb/writes.ts";
import { recordKey } from "../lib/records/id-blocks.ts";
import { ownerEntry, ownerPartition } from "../lib/records/owners.ts";

/**
 * Deletes entries of owners without a record, or with one of somebody else, and adds missing ones, each only if
 * the record is as it was read. Scans the table.
 *
 * @returns how many were wrong
 */
export async function repairOwnerEntries(
  client: DynamoDBClient,
  TableName: string,
  isDryRun: boolean,
): Promise<number> {
  let wrong = 0;
  for (const { sk, owner } of await findDiffering(client, TableName)) {
    const Key = recordKey(sk);
    // The scan may have read one before a change, and the other after it.
    const keys = [Key, { pk: ownerPartition(owner), sk }];
    const [record, entry] = await transactGet(client, TableName, keys);
    const isOwner = record?.owner === owner;
    if (isOwner === (entry !== undefined)) continue;
    const condition = record ? unchanged({ owner: record.owner }) : itemIsAbsent;
    const parts = {
      record: { ConditionCheck: { TableName, Key, ...condition } },
      entry: ownerEntry(TableName, { sk, owner }, isOwner ? "Put" : "Delete"),
    };
    if (isDryRun || (await transact(client, parts)).size === 0) wrong += 1;
  }
  return wrong;
}

/** The ids and owners for which the scan finds either a record or an entry. */
async function findDiffering(client: DynamoDBClient, TableName: string) {
  const scan = {
    ...{ TableName, ConsistentRead: true, ProjectionExpression: "pk, sk, #owner" },
    FilterExpression: "begins_with(pk, :entries) OR attribute_exists(#owner)",
    ExpressionAttributeNames: { "#owner": "owner" },
    ExpressionAttributeValues: { ":entries": { S: ownerPartition("") } },
  };
  const differing = new Map<string, { readonly sk: number; readonly owner: string }>();
  for await (const { Items = [] } of paginateScan({ client }, scan))
    for (const { pk, sk, owner = String(pk).slice(ownerPartition("").length) } of Items.map(fromRawItem)) {
      const [id, name] = [Number(sk), String(owner)];
      const isOne = [recordKey(id).pk, ownerPartition(name)].includes(String(pk));
      if (isOne && !differing.delete(`${id} ${name}`))
        differing.set(`${id} ${name}`, { sk: id, owner: name });
    }
  return differing.values();
}
