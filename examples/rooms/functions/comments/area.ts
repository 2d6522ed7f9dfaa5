import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

const comment = { text: "The projector needs a new lamp" };

export const area = defineArea(routes, {
  position: 12,
  tags: { comments: "Comments on rooms, for administrators" },
  access: "admin",
  tables: { comments: { hasIds: true, indexes: { "by-room": { partitionKey: ["room_id", "N"] } } } },
  uses: {
    // Lists read the index alone.
    comments: recordActions.filter((action) => action !== "dynamodb:Query"),
    "comments/index/by-room": ["dynamodb:Query"],
    rooms: ["dynamodb:GetItem"],
  },
  limits: {
    "GET /rooms/{room_id}/comments": list,
    "DELETE /rooms/{room_id}/comments/{id}": { write: 6 },
  },
  fields: { room_id: "The room that it is about", text: "What somebody says about the room" },
  examples: { Comment: { id: 1, room_id: 1, ...comment }, CreateCommentRequest: comment },
  requests: {
    "GET /rooms/{room_id}/comments": { query: { q: "lamp", limit: 10 } },
    "POST /rooms/{room_id}/comments": { body: comment },
  },
});
