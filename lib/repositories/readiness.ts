import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../domain/errors.ts";

/**
 * Checks that DynamoDB can be read: one read of half a unit, of a key that need not exist.
 *
 * @param table any table of records
 * @throws ApiError `ServiceUnavailable` if the read fails, whatever the cause
 */
export async function assertReadable(client: DynamoDBDocumentClient, table: string): Promise<void> {
  try {
    await client.send(new GetCommand({ TableName: table, Key: { pk: "readiness", sk: 0 } }));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("ServiceUnavailable", "The database cannot be read right now", {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
}
