import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { BookingsRepository } from "../../lib/repositories/bookings.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { RoomsRepository } from "../../lib/repositories/rooms.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => ({
  bookings: new BookingsRepository(documentClient(), tableName("bookings")),
  rooms: new RoomsRepository(documentClient(), tableName("rooms")),
}));

await warmUp(handler, `/bookings/${UNUSED_ID}`);
