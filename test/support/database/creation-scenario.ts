import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Creation, IdempotencyContext } from "../../../lib/domain/idempotency.ts";

/** A table, and how clients of their own create something in it under a key. */
export interface CreationScenario {
  readonly table: string;
  /** The number of calls without a key, and with one. */
  readonly calls: readonly [withoutKey: number, withKey: number];
  create(client: DynamoDBDocumentClient, idempotency?: IdempotencyContext): Promise<Creation<unknown>>;
}
