import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { CommentsRepository } from "../../lib/repositories/comments.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { RoomsRepository } from "../../lib/repositories/rooms.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => ({
  comments: new CommentsRepository(documentClient(), tableName("comments")),
  rooms: new RoomsRepository(documentClient(), tableName("rooms")),
}));

await warmUp(handler, `/rooms/${UNUSED_ID}/comments/${UNUSED_ID}`);
