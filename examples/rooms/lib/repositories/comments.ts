import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../domain/ownership.ts";
import { notFound } from "../domain/errors.ts";
import type { Comment } from "../validators/comment.ts";
import type { Precondition } from "../dynamodb/expressions.ts";
import type { RecordOf, StoredSchema } from "../records/record-reader.ts";
import { RecordRepository } from "../records/record-repository.ts";

/** A comment as it is stored. A field that is added later needs a default: older comments do not have it. */
export const StoredComment = z.object({ room_id: z.int(), text: z.string() }) satisfies StoredSchema<Comment>;

export class CommentsRepository extends RecordRepository<RecordOf<typeof StoredComment>> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table, StoredComment, owner);
  }

  /** @returns undefined also for a comment on another room */
  async getOf(roomId: number, id: number): Promise<Comment | undefined> {
    const comment = await this.get(id);
    return comment?.room_id === roomId ? comment : undefined;
  }

  /** @throws ApiError `NotFound` for a comment on another room */
  removeOf(roomId: number, id: number, precondition?: Precondition<Comment>): Promise<boolean> {
    return this.remove(id, (comment) => {
      if (comment.room_id !== roomId) throw notFound("Comment", id);
      precondition?.(comment);
    });
  }
}
