import { routes } from "../../../functions/todos/routes.ts";
import { recordKey } from "../../../lib/records/id-blocks.ts";
import { longText } from "../../support/database/largest-record.ts";
import { measureArea } from "../../support/measure-area.ts";

const LARGEST = "POST /todos, the largest";

export const measurements = measureArea(routes, {
  records: { todos: (id) => [{ ...recordKey(id), title: `Todo number ${id}`, completed: id % 2 === 0 }] },
  requests: {
    "POST /todos, 1,000 characters": { body: { title: "x".repeat(1_000) } },
    [LARGEST]: { body: { title: longText(1_000) } },
    "PUT /todos/{id}, the largest": ({ id }) => ({ path: { id: id(LARGEST) }, body: { completed: true } }),
    "DELETE /todos/{id}, the largest": ({ id }) => ({ path: { id: id(LARGEST) } }),
  },
  limits: {
    "GET /todos/{id}": [1, 1, 1],
    "POST /todos": [2, 2, 3],
    "PUT /todos/{id}": [1, 1, 1],
    "DELETE /todos/{id}": [1, 1, 6],
  },
  priced: { "GET /todos/{id}": 0, "POST /todos": 0, "GET /todos, without parameters": 0 },
  growth: ["GET /todos", "GET /todos?limit=10"],
});
