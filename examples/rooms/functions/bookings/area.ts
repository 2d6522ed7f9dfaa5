import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const starts_at = "2026-05-04T09:30:00Z";

export const area = defineArea(routes, {
  position: 11,
  tags: { bookings: "Bookings of rooms, which only their owner and staff see" },
  access: { read: "owner", create: "owner", update: "staff", delete: "owner" },
  tables: {
    bookings: {
      hasIds: true,
      indexes: { "by-room": { partitionKey: ["room_id", "N"], sortKey: "starts_at" } },
    },
  },
  uses: {
    bookings: recordActions,
    "bookings/index/by-room": ["dynamodb:Query"],
    rooms: ["dynamodb:GetItem", "dynamodb:UpdateItem"],
  },
  limits: {
    "GET /bookings": list,
    "GET /rooms/{room_id}/bookings": list,
    "POST /bookings": { write: 5 },
    "POST /bookings/{id}/repeats": { write: 5 },
    "DELETE /bookings/{id}": { write: 8 },
  },
  fields: {
    room_id: "The room's id",
    starts_at: "In UTC, in whole seconds",
    "Booking.status": "booked at first",
    "UpdateBookingRequest.status": "checked_in occupies the room, the others leave it",
  },
  examples: {
    Booking: { id: 1, room_id: 1, starts_at, status: "booked" },
    CreateBookingRequest: { room_id: 1, starts_at },
    RepeatBookingRequest: { starts_at: "2026-05-11T09:30:00Z" },
    UpdateBookingRequest: { status: "checked_out" },
  },
  requests: {
    "GET /bookings": { query: { limit: 10 } },
    "GET /rooms/{room_id}/bookings": { query: { limit: 10 } },
    "POST /bookings": ({ id }) => ({ body: { room_id: id("POST /rooms"), starts_at } }),
    "POST /bookings/{id}/repeats": { body: { starts_at: "2026-05-11T09:30:00Z" } },
    "PUT /bookings/{id}": { body: { status: "checked_out" } },
  },
});
