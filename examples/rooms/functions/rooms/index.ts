import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { RoomsRepository } from "../../lib/repositories/rooms.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => ({
  rooms: new RoomsRepository(documentClient(), tableName("rooms")),
}));

await warmUp(handler, `/rooms/${UNUSED_ID}`);
