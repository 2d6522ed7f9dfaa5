import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { fromRawItem } from "../lib/dynamodb/attribute-values.ts";
import { batchGet } from "../lib/dynamodb/batch.ts";
import { itemIsAbsent, unchanged } from "../lib/dynamodb/expressions.ts";
import { transact } from "../lib/dynamodb/writes.ts";
import { recordKey } from "../lib/records/id-blocks.ts";
import { ownerPartition } from "../lib/records/owners.ts";

/**
 * Deletes entries of owners without a record, or with one of somebody else, if that is as it was read. Scans the
 * table. @returns how many there were
 */
export async function removeStrayEntries(
  client: DynamoDBClient,
  TableName: string,
  isDryRun: boolean,
): Promise<number> {
  const FilterExpression = "begins_with(pk, :owners)";
  const ExpressionAttributeValues = { ":owners": { S: ownerPartition("") } };
  const scan = { TableName, FilterExpression, ExpressionAttributeValues };
  let removed = 0;
  for await (const { Items = [] } of paginateScan({ client }, scan)) {
    const entries = Items.map(fromRawItem);
    const ids = [...new Set(entries.map(({ sk }) => Number(sk)))];
    const options = { attributes: ["sk", "owner"] };
    const records = await batchGet(client, TableName, ids.map(recordKey), options);
    const recordOf = new Map(records.map((record) => [record.sk, record]));
    for (const { pk, sk } of entries) {
      const record = recordOf.get(sk);
      if (record && ownerPartition(String(record.owner)) === pk) continue;
      const condition = record ? unchanged({ owner: record.owner }) : itemIsAbsent;
      const parts = {
        record: { ConditionCheck: { TableName, Key: recordKey(Number(sk)), ...condition } },
        entry: { Delete: { TableName, Key: { pk, sk } } },
      };
      if (isDryRun || (await transact(client, parts)).size === 0) removed += 1;
    }
  }
  return removed;
}
