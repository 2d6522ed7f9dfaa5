import * as z from "zod/mini";
import { integer } from "./integer.ts";
import { named } from "./metadata.ts";

const id = integer({ min: 1 });
// Of one form: bookings sort by it as a text.
const fields = { room_id: id, starts_at: z.iso.datetime({ precision: 0 }) };

export const BookingStatus = z.enum(["booked", "checked_in", "checked_out"]);
export type BookingStatus = z.output<typeof BookingStatus>;

export const Booking = named("Booking", z.object({ id, ...fields, status: BookingStatus }));
export type Booking = z.output<typeof Booking>;

export const CreateBookingRequest = named("CreateBookingRequest", z.object(fields));
export const RepeatBookingRequest = named(
  "RepeatBookingRequest",
  z.object({ starts_at: fields.starts_at }),
);
export const UpdateBookingRequest = named("UpdateBookingRequest", z.object({ status: BookingStatus }));
