import { type DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../domain/errors.ts";

/** No record has it, and the function of the check may read nothing else. */
export const READINESS_KEY = { pk: "readiness", sk: 0 };

/**
 * Checks that DynamoDB can be read: one read of half a unit, of `READINESS_KEY`, which need not exist.
 *
 * @param table any table of records
 * @throws ApiError `ServiceUnavailable` if the read fails, whatever the cause
 */
export async function assertReadable(client: DynamoDBDocumentClient, table: string): Promise<void> {
  try {
    await client.send(new GetCommand({ TableName: table, Key: READINESS_KEY }));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("ServiceUnavailable", "The database cannot be read right now", {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
}
