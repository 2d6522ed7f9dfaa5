import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../../../lib/domain/ownership.ts";
import type { RecordOf } from "../../../lib/records/record-reader.ts";
import { RecordRepository } from "../../../lib/records/record-repository.ts";

/** A record for tests of what all records have in common. */
export const StoredNote = z.object({ text: z.string(), size: z.optional(z.number()) });

export type Note = RecordOf<typeof StoredNote>;

export function notesIn(client: DynamoDBDocumentClient, table: string, now?: () => Date, owner?: Owner) {
  return new RecordRepository<Note>(client, table, StoredNote, owner, now);
}
