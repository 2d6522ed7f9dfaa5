import type { AreaProtocol } from "../../support/api/protocol.ts";
import { api } from "../../support/api/target.ts";
import { UNKNOWN_ID } from "../../support/data/values.ts";

const create = async () => (await api.post("/todos", { title: "Buy milk" })).body;
const removeChanged = async () =>
  api.delete(`/todos/${(await create()).id}`, { headers: { "if-match": '"another"' } });

export const protocol: AreaProtocol = {
  lists: { todos: async () => ({ target: "/todos", create }) },
  resumable: ["/todos?"],
  errors: [
    ["GET /todos/{id}", 404, () => api.get(`/todos/${UNKNOWN_ID}`)],
    ["GET /todos", 422, () => api.get("/todos?limit=")],
    ["POST /todos", 422, () => api.post("/todos", {})],
    ["PUT /todos/{id}", 422, () => api.put(`/todos/${UNKNOWN_ID}`)],
    ["DELETE /todos/{id}", 412, removeChanged],
  ],
};
