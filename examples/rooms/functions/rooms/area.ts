import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const room = { name: "Blue room", seats: 8 };

export const area = defineArea(routes, {
  position: 10,
  tags: { rooms: "Rooms that can be booked" },
  tables: { rooms: { hasIds: true } },
  uses: { rooms: recordActions },
  limits: {
    "GET /rooms": list,
    "POST /rooms": { write: 6 },
    "PUT /rooms/{id}": { writeOfKey: 1 },
    "DELETE /rooms/{id}": { write: 6 },
  },
  fields: {
    seats: "How many people it is for",
    occupied_by: "The booking that has checked in; null for none",
  },
  examples: { Room: { id: 1, ...room, occupied_by: null }, RoomRequest: room },
  requests: {
    "GET /rooms": { query: { limit: 10 } },
    "POST /rooms": { body: room },
    "PUT /rooms/{id}": { body: { ...room, seats: 10 } },
  },
});
