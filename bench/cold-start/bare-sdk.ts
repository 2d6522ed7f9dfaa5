/** What a function costs that only reads one item with the AWS SDK: the floor of the cold starts. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Returns a record: no routes, no validation, no log, no errors. */
export async function handler() {
  const { Item: item } = await client.send(
    new GetCommand({ TableName: process.env.TABLE, Key: { pk: "0", sk: 1 }, ConsistentRead: true }),
  );
  return { statusCode: item ? 200 : 404, body: JSON.stringify(item ?? {}) };
}
