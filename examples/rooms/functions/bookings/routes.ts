import * as z from "zod/mini";
import { notFound, orNotFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, routeBuilder } from "../../lib/http/route.ts";
import { type BookingsRepository, isCheckedIn, isTaken, StoredBooking } from "../../lib/repositories/bookings.ts";
import { occupied, type RoomsRepository } from "../../lib/repositories/rooms.ts";
import { Booking, CreateBookingRequest, RepeatBookingRequest, UpdateBookingRequest } from "../../lib/validators/booking.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { byText, TextListQuery } from "../../lib/validators/text-cursor.ts";

interface BookingsDependencies {
  readonly bookings: BookingsRepository;
  readonly rooms: RoomsRepository;
}

const route = routeBuilder<BookingsDependencies>({ tag: "bookings", errorFormat: "detail" });
const path = z.object({ id: recordId("The booking's id") });
const errors = { 404: { when: "The caller has no booking with this id", example: notFound("Booking", 7) } };
const roomErrors = { 404: { when: "No room has this id", example: notFound("Room", 7) } };

const takenErrors = {
  409: {
    when: "The room is booked for this time, or less than an hour before or after it",
    example: isTaken({ room_id: 7, starts_at: "2026-05-04T09:30:00Z" }),
  },
};

export const routes = [
  route("GET /bookings", {
    operationId: "listBookings",
    summary: "List one's bookings, optionally paginated",
    description: "In id order.",
    request: { query: ListQuery },
    responses: { 200: z.array(Booking) },
    handle: async ({ query: { limit, cursor }, target, budget }, { bookings }) => {
      const page = await bookings.list({ after: cursor, limit }, budget().forPart());
      return listResponse(page, target, byId);
    },
  }),
  route("GET /rooms/{room_id}/bookings", {
    operationId: "listRoomBookings",
    summary: "List one's bookings of a room, the earliest first",
    description: "An index lists them, which can be a moment behind the latest change.",
    request: { path: z.object({ room_id: recordId("The room's id") }), query: TextListQuery },
    responses: { 200: z.array(Booking) },
    errors: roomErrors,
    handle: async ({ path: { room_id }, query, target, budget }, { bookings, rooms }) => {
      orNotFound(await rooms.read(room_id), "Room", room_id);
      const range = { after: query.cursor, limit: query.limit };
      const page = await bookings.listByText("by-room", ["room_id", room_id], "starts_at", range, budget());
      return listResponse(page, target, byText("starts_at"));
    },
  }),
  route("GET /bookings/{id}", {
    operationId: "getBooking",
    summary: "Get a booking",
    description: "The booking of somebody else is a 404.",
    request: { path },
    responses: { 200: Booking },
    errors,
    etag: entityTag,
    handle: async ({ path: { id } }, { bookings }) => found(await bookings.get(id), "Booking", id),
  }),
  route("POST /bookings", {
    operationId: "createBooking",
    summary: "Book a room for a time, unless somebody has",
    description: "The booking belongs to the account that is signed in.",
    request: { body: CreateBookingRequest },
    responses: { 201: Booking },
    errors: { ...roomErrors, ...takenErrors },
    etag: entityTag,
    location: ({ id }: Booking) => `/bookings/${id}`,
    handle: async ({ body, idempotency }, { bookings, rooms }) => {
      orNotFound(await rooms.read(body.room_id), "Room", body.room_id);
      return created(await bookings.book({ ...body, status: "booked" }, idempotency));
    },
  }),
  route("POST /bookings/{id}/repeats", {
    operationId: "repeatBooking",
    summary: "Book the room of a booking for another time",
    description: "The new booking belongs to the owner of the first, whoever creates it.",
    request: { path, body: RepeatBookingRequest },
    responses: { 201: Booking },
    errors: { ...errors, ...takenErrors },
    etag: entityTag,
    location: ({ id }: Booking) => `/bookings/${id}`,
    handle: async ({ path: { id }, body, idempotency }, { bookings }) => {
      const parent = orNotFound(await bookings.read(id), "Booking", id);
      const booking = { ...body, room_id: bookings.decode(parent).room_id, status: "booked" as const };
      return created(await bookings.book(booking, idempotency, parent));
    },
  }),
  route("PUT /bookings/{id}", {
    operationId: "changeBookingStatus",
    summary: "Check in or out",
    description: "Only staff may. Changes the booking and who occupies the room, both or none.",
    request: { path, body: UpdateBookingRequest },
    responses: { 200: Booking },
    errors: {
      404: { ...errors[404], when: "The caller has no booking with this id, or its room was deleted" },
      409: { when: "Another booking occupies the room", example: occupied({ id: 7, occupied_by: 3 }) },
    },
    etag: entityTag,
    handle: async ({ path: { id }, body, precondition }, { bookings, rooms }) =>
      found(await bookings.changeStatus(id, body.status, rooms, precondition), "Booking", id),
  }),
  route("DELETE /bookings/{id}", {
    operationId: "deleteBooking",
    summary: "Delete a booking that is not checked in",
    description: "Its id is not reused.",
    request: { path },
    responses: { 204: z.undefined() },
    errors: { ...errors, 409: { when: "The booking is checked in", example: isCheckedIn(7) } },
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { bookings }) =>
      deleted(await bookings.removeUnused(id, precondition), "Booking", id),
  }),
];

/** What the repair checks. */
export const stored = { schema: StoredBooking };
