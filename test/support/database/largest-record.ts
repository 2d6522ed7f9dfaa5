import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { IdempotencyContext } from "../../../lib/domain/idempotency.ts";

export interface LargestRecord {
  /** The size of its item, in units of 1,024 bytes. */
  readonly kilobytes: number;
  create(client: DynamoDBDocumentClient, table: string, idempotency: IdempotencyContext): Promise<unknown>;
}

/** A text whose characters have four bytes each. */
export function longText(characters: number): string {
  return "💡".repeat(characters);
}
