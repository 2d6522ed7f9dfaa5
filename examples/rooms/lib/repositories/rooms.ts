import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../domain/ownership.ts";
import { ApiError } from "../domain/errors.ts";
import type { Room } from "../validators/room.ts";
import type { Precondition } from "../dynamodb/expressions.ts";
import type { RecordOf, StoredSchema } from "../records/record-reader.ts";
import { RecordRepository } from "../records/record-repository.ts";

/** A room as it is stored. A field that is added later needs a default: older rooms do not have it. */
export const StoredRoom = z.object({
  name: z.string(),
  seats: z.int(),
  occupied_by: z._default(z.nullable(z.int()), null),
}) satisfies StoredSchema<Room>;

export class RoomsRepository extends RecordRepository<RecordOf<typeof StoredRoom>> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table, StoredRoom, owner);
  }

  /** Deletes a room. @throws ApiError `Conflict` while somebody is in it */
  removeFree(id: number, precondition?: Precondition<Room>): Promise<boolean> {
    return this.remove(id, (room) => {
      precondition?.(room);
      if (room.occupied_by !== null) throw occupied(room);
    });
  }
}

export function occupied({ id, occupied_by }: Pick<Room, "id" | "occupied_by">): ApiError {
  const message = `Room ${id} is occupied by booking ${occupied_by}`;
  return new ApiError("Conflict", message, { field: "occupied_by" });
}
