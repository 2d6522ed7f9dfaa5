import { defineArea, list, recordActions } from "../define-area.ts";
import { routes } from "./routes.ts";

export const area = defineArea(routes, {
  position: 4,
  tags: { todos: "A todo list" },
  firstCalls: ["POST /todos", "GET /todos"],
  tables: { todos: { hasIds: true } },
  uses: { todos: recordActions },
  limits: {
    "GET /todos": list,
    // The largest title has 4,000 bytes. All new todos have the same partition key.
    "POST /todos": { write: 11, writeOfKey: 10 },
    "PUT /todos/{id}": { writeOfKey: 5 },
    "DELETE /todos/{id}": { write: 14 },
  },
  fields: { completed: "Whether it is done; false for a new todo", title: "What it is about" },
  examples: {
    CreateTodoRequest: { title: "Buy milk" },
    Todo: { id: 1, title: "Buy milk", completed: false },
    UpdateTodoRequest: { completed: true },
  },
  requests: {
    "GET /todos": { query: { limit: 10 } },
    "POST /todos": ({ unique }) => ({ body: { title: `Buy milk${unique}` } }),
    "PUT /todos/{id}": { body: { completed: true } },
  },
});
