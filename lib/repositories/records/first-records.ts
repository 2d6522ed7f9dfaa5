import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { itemIsAbsent } from "../dynamodb/expressions.ts";
import { transactWrite } from "../dynamodb/transaction.ts";
import { COUNTER_KEY } from "./id-allocation.ts";
import { recordKey } from "./id-blocks.ts";

/**
 * Creates the first records of a table under the ids from 1 on: all of them in one transaction, so that an
 * interrupted process leaves none, or none if an id has been allocated before.
 *
 * @param records at most 99, each without its id
 * @returns false if an id has been allocated before, even if its record is deleted since
 * @throws ApiError `ServiceUnavailable`
 */
export async function createFirstRecords(
  client: DynamoDBDocumentClient,
  table: string,
  records: readonly object[],
): Promise<boolean> {
  const allocateAll = {
    TableName: table,
    Key: COUNTER_KEY,
    UpdateExpression: "SET #last = :count",
    // A counter back at 0 counts as unused.
    ConditionExpression: "attribute_not_exists(#last) OR #last = :zero",
    ExpressionAttributeNames: { "#last": "last" },
    ExpressionAttributeValues: { ":count": records.length, ":zero": 0 },
  };
  const puts = records.map((fields, i) => ({
    Put: { TableName: table, Item: { ...recordKey(i + 1), ...fields }, ...itemIsAbsent },
  }));
  return transactWrite(client, [{ Update: allocateAll }, ...puts]);
}
