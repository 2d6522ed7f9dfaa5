import type { MeasuredHandlers } from "../../support/measured-handlers.ts";

const todo = { id: 1, title: "Buy milk", completed: false };

export const bench: MeasuredHandlers = {
  dependencies: { todos: { get: async () => todo, create: async () => ({ record: todo, replayed: false }) } },
  requests: [
    { name: "GET /todos/{id}", request: "GET /todos/1", status: 200 },
    { request: "POST /todos", body: { title: "Buy milk" }, status: 201 },
  ],
};
