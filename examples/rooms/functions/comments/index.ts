import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { CommentsRepository } from "../../lib/repositories/comments.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { RoomsRepository } from "../../lib/repositories/rooms.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  return (ownerOf) => ({
    comments: new CommentsRepository(client, tableName("comments"), ownerOf("comments")),
    rooms: new RoomsRepository(client, tableName("rooms"), ownerOf("rooms")),
  });
});

await warmUp(handler, `/rooms/${UNUSED_ID}/comments/${UNUSED_ID}`);
