import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import type { Owner } from "../domain/ownership.ts";
import type { RecordOf, StoredSchema } from "../records/record-reader.ts";
import { RecordRepository } from "../records/record-repository.ts";
import type { FileRecord } from "../validators/file.ts";

/** A file as it is stored, without its content. A field that is added later needs a default. */
export const StoredFile = z.object({
  name: z.string(),
  type: z.string(),
  size: z.int(),
  created_at: z.string(),
}) satisfies StoredSchema<FileRecord>;

export class FilesRepository extends RecordRepository<RecordOf<typeof StoredFile>> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table, StoredFile, owner, () => new Date());
  }

  /** Creates the record of a file whose content is still to be uploaded. */
  announce(
    file: Omit<FileRecord, "id" | "created_at">,
    idempotency: IdempotencyContext | undefined,
  ): Promise<Creation<FileRecord>> {
    return this.create((created_at) => ({ ...file, created_at }), idempotency);
  }
}
