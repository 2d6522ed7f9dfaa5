import * as z from "zod";
import { Failure } from "../../lib/failure.ts";
import { tagOf } from "../../lib/http/entity-tags.ts";
import { fitting } from "../../lib/http/lists.ts";
import { answer, area } from "../../lib/http/route.ts";
import type { TodosRepository } from "../../lib/repositories/todos.ts";
import { cursorAfter, ListQuery } from "../../lib/schemas/cursor.ts";
import { recordId } from "../../lib/schemas/parameter.ts";
import { CreateTodoRequest, Todo, UpdateTodoRequest } from "../../lib/schemas/todo.ts";

/** What the todo routes work with. */
export interface TodosServices {
  readonly todos: TodosRepository;
}

const route = area<TodosServices>({ tag: "todos", dialect: "error" });
const path = z.object({ id: recordId });
const failures = { 404: "No todo has that id" } as const;

/** The todo area (specification, "Todos"). */
export const todosRoutes = [
  route("GET /todos", {
    operationId: "listTodos",
    summary: "List all todos, or so many from a place on",
    query: ListQuery,
    answers: { 200: z.array(Todo) },
    goesOn: true,
    handle: async ({ query: { limit, cursor }, target }, { todos }) => {
      const slice = await todos.slice({ after: cursor, limit });
      const { records, headers } = fitting(slice, target, ({ id }) => cursorAfter(id));
      return answer(200, records, headers);
    },
  }),
  route("GET /todos/{id}", {
    operationId: "getTodo",
    summary: "Get a todo",
    path,
    answers: { 200: Todo },
    failures,
    etag: tagOf,
    handle: async ({ path: { id } }, { todos }) => answer(200, found(await todos.get(id))),
  }),
  route("POST /todos", {
    operationId: "createTodo",
    summary: "Create a todo",
    body: CreateTodoRequest,
    answers: { 201: Todo },
    answerHeaders: { 201: ["location"] },
    creates: true,
    etag: tagOf,
    handle: async ({ body, once }, { todos }) => {
      const todo = await todos.create({ title: body.title, completed: false }, once);
      return answer(201, todo, { location: `/todos/${todo.id}` });
    },
  }),
  route("PUT /todos/{id}", {
    operationId: "updateTodo",
    summary: "Change a todo; absent and null fields keep their values",
    path,
    body: UpdateTodoRequest,
    answers: { 200: Todo },
    failures,
    etag: tagOf,
    handle: async ({ path: { id }, body, expect }, { todos }) => {
      const changes = { title: body.title ?? undefined, completed: body.completed ?? undefined };
      return answer(200, found(await todos.update(id, changes, expect)));
    },
  }),
  route("DELETE /todos/{id}", {
    operationId: "deleteTodo",
    summary: "Delete a todo",
    path,
    answers: { 204: z.undefined() },
    failures,
    etag: tagOf,
    handle: async ({ path: { id }, expect }, { todos }) => {
      found((await todos.remove(id, expect)) || undefined);
      return answer(204);
    },
  }),
];

function found<T>(todo: T | undefined): T {
  if (todo === undefined) throw new Failure("NotFound", "Todo not found");
  return todo;
}
