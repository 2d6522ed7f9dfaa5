import { type DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { cancellationCodes } from "../dynamodb/client.ts";
import { COUNTER } from "./id-allocation.ts";
import { recordKey } from "./records.ts";

/**
 * Puts the first records of a table under the ids from 1 on, in one transaction: all of them, or none where an id has
 * been given before. So a process that is killed meanwhile leaves no part of them.
 *
 * @param client from `documentClient`
 * @param table the table's name
 * @param records at most 99, each without its id
 * @returns false when an id has been given before, even if its record is deleted since
 * @throws ApiError `ServiceUnavailable`
 */
export async function putFirstRecords(
  client: DynamoDBDocumentClient,
  table: string,
  records: readonly object[],
): Promise<boolean> {
  const count = {
    TableName: table,
    Key: COUNTER,
    UpdateExpression: "SET #last = :count",
    // An id that was given back has never been given.
    ConditionExpression: "attribute_not_exists(#last) OR #last = :none",
    ExpressionAttributeNames: { "#last": "last" },
    ExpressionAttributeValues: { ":count": records.length, ":none": 0 },
  };
  const puts = records.map((fields, i) => ({
    Put: {
      TableName: table,
      Item: { ...recordKey(i + 1), ...fields },
      ConditionExpression: "attribute_not_exists(pk)",
    },
  }));
  try {
    await client.send(new TransactWriteCommand({ TransactItems: [{ Update: count }, ...puts] }));
    return true;
  } catch (error) {
    if (cancellationCodes(error)?.[0] === "ConditionalCheckFailed") return false;
    throw error;
  }
}
