import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { ApiError } from "../domain/errors.ts";
import { getItem } from "../dynamodb/query.ts";

/** No account has it, and the function of the check may read nothing else of their table. */
export const READINESS_KEY = { pk: "readiness", sk: "readiness" };

/** Checks that DynamoDB can be read: one call, half a read unit. @throws ApiError `ServiceUnavailable` */
export async function assertReadable(client: DynamoDBClient, table: string): Promise<void> {
  try {
    await getItem(client, table, READINESS_KEY, { ConsistentRead: false });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("ServiceUnavailable", "The database cannot be read right now", {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
}
