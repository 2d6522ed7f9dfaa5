import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Owner } from "../domain/ownership.ts";
import { ApiError, orNotFound } from "../domain/errors.ts";
import type { Creation, IdempotencyContext } from "../domain/idempotency.ts";
import { type Booking, BookingStatus } from "../validators/booking.ts";
import { itemIsAbsent, type Precondition } from "../dynamodb/expressions.ts";
import type { StoredItem } from "../dynamodb/query.ts";
import type { RecordOf, StoredSchema } from "../records/record-reader.ts";
import { RecordRepository, type Refused } from "../records/record-repository.ts";
import { occupied, type RoomsRepository } from "./rooms.ts";

const HOUR_MS = 3_600_000;

/** A booking as it is stored. A field that is added later needs a default: older bookings do not have it. */
export const StoredBooking = z.object({
  room_id: z.int(),
  starts_at: z.string(),
  status: BookingStatus,
}) satisfies StoredSchema<Booking>;

export class BookingsRepository extends RecordRepository<RecordOf<typeof StoredBooking>> {
  constructor(client: DynamoDBClient, table: string, owner?: Owner) {
    super(client, table, StoredBooking, owner);
  }

  /**
   * Books a room for a time, which one booking can have, and for an hour.
   *
   * @param parent the booking for whose owner it is; by default it is the caller's
   * @throws ApiError `Conflict` if another booking has the time
   */
  book(
    booking: Omit<Booking, "id">,
    idempotency: IdempotencyContext | undefined,
    parent?: StoredItem,
  ): Promise<Creation<Booking>> {
    const others = async (_: number, refused: Refused<"slot">) => {
      if (refused.has("slot") || (await this.#overlaps(booking))) throw isTaken(booking);
      return { slot: { Put: { TableName: this.table, Item: slotOf(booking), ...itemIsAbsent } } };
    };
    return this.create(booking, idempotency, { others, parent });
  }

  /** Whether a booking of anybody, as far as the index knows, is less than an hour away. */
  async #overlaps({ room_id, starts_at }: Omit<Booking, "id">): Promise<boolean> {
    const time = Date.parse(starts_at);
    const anHourBefore = new Date(time - HOUR_MS).toISOString();
    const range = { after: [anHourBefore, 1] as const, limit: 2 };
    const near = await this.ofEverybody.listByText("by-room", ["room_id", room_id], "starts_at", range);
    return near.records.some((other) => Math.abs(Date.parse(other.starts_at) - time) < HOUR_MS);
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
      return { room: orNotFound(prepared, "Room", roomId).write };
    });
  }

  /** Deletes a booking and frees its time. @throws ApiError `Conflict` while it occupies a room */
  async removeUnused(id: number, precondition?: Precondition<Booking>): Promise<boolean> {
    const stored = await this.get(id);
    if (stored === undefined) return false;
    const rule = (booking: Booking) => {
      precondition?.(booking);
      if (booking.status === "checked_in") throw isCheckedIn(id);
    };
    return this.remove(id, rule, [{ Delete: { TableName: this.table, Key: slotOf(stored) } }]);
  }
}

/** The key of the item that only one booking of a room for a time can write. */
function slotOf({ room_id, starts_at }: Pick<Booking, "room_id" | "starts_at">) {
  return { pk: `slot#${room_id}#${starts_at}`, sk: 0 };
}

export function isTaken({ room_id, starts_at }: Pick<Booking, "room_id" | "starts_at">): ApiError {
  return new ApiError("Conflict", `Room ${room_id} is booked for ${starts_at}`, { field: "starts_at" });
}

export function isCheckedIn(id: number): ApiError {
  return new ApiError("Conflict", `Booking ${id} is checked in`, { field: "status" });
}
