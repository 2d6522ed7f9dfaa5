import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod/mini";
import { ApiError, orNotFound } from "../domain/errors.ts";
import { type Booking, BookingStatus } from "../validators/booking.ts";
import type { Precondition } from "./dynamodb/expressions.ts";
import { type RecordOf, RecordRepository, type StoredSchema } from "./records/record-repository.ts";
import { occupied, type RoomsRepository } from "./rooms.ts";

/** A booking as it is stored. A field that is added later needs a default: older bookings do not have it. */
export const StoredBooking = z.object({
  room_id: z.int(),
  starts_at: z.string(),
  status: BookingStatus,
}) satisfies StoredSchema<Booking>;

export class BookingsRepository extends RecordRepository<RecordOf<typeof StoredBooking>> {
  constructor(client: DynamoDBDocumentClient, table: string) {
    super(client, table, StoredBooking);
  }

  /**
   * Changes a booking and who occupies its room: both, or none.
   *
   * @throws ApiError `Conflict` if another booking occupies the room, `NotFound` if there is no room any more
   */
  changeStatus(
    id: number,
    status: BookingStatus,
    rooms: RoomsRepository,
    precondition?: Precondition<Booking>,
  ): Promise<Booking | undefined> {
    let roomId = 0;
    const changesOf = (booking: Booking) => {
      precondition?.(booking);
      roomId = booking.room_id;
      return { status };
    };
    return this.change(id, changesOf, async () => {
      const prepared = await rooms.prepareChange(roomId, (room) => {
        const isOurs = room.occupied_by === id;
        if (status !== "checked_in") return isOurs ? { occupied_by: null } : {};
        if (room.occupied_by !== null && !isOurs) throw occupied(room);
        return { occupied_by: id };
      });
      return orNotFound(prepared, "Room", roomId).write;
    });
  }

  /** Deletes a booking. @throws ApiError `Conflict` while it occupies a room */
  removeUnused(id: number, precondition?: Precondition<Booking>): Promise<boolean> {
    return this.remove(id, (booking) => {
      precondition?.(booking);
      if (booking.status === "checked_in") throw isCheckedIn(id);
    });
  }
}

export function isCheckedIn(id: number): ApiError {
  return new ApiError("Conflict", `Booking ${id} is checked in`, { field: "status" });
}
