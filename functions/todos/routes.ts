import * as z from "zod";
import { unknownRecord } from "../../lib/domain/errors.ts";
import { tagOf } from "../../lib/http/etag.ts";
import { fitting } from "../../lib/http/pagination.ts";
import { answer, area } from "../../lib/http/route.ts";
import type { TodosRepository } from "../../lib/repositories/todos.ts";
import { cursorAfter, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { CreateTodoRequest, Todo, UpdateTodoRequest } from "../../lib/validators/todo.ts";

/** What the todo routes work with. */
export interface TodosServices {
  readonly todos: TodosRepository;
}

const route = area<TodosServices>({ tag: "todos", dialect: "error" });
const path = z.object({ id: recordId.describe("The todo's id") });
const failures = { 404: { when: "No todo has that id", example: unknownRecord("Todo") } };

/** The todo area (specification, "Todos"). */
export const todosRoutes = [
  route("GET /todos", {
    operationId: "listTodos",
    summary: "List all todos, or so many from a place on",
    description:
      "In the order of their ids. The list is whole, unless `limit` is given or it is longer than one answer can " +
      "be: `Link` then leads to what comes next.",
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
    description: "An id that is no integer is 404 as well, as in every operation on a todo.",
    path,
    answers: { 200: Todo },
    failures,
    etag: tagOf,
    handle: async ({ path: { id } }, { todos }) => answer(200, found(await todos.get(id))),
  }),
  route("POST /todos", {
    operationId: "createTodo",
    summary: "Create a todo",
    description: "`completed` begins as `false`, whatever the request says of it.",
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
    description:
      "A body is needed, and is checked before whether there is such a todo; `{}` changes nothing.",
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
    description: "The id is not given to another todo, so that a second attempt is 404.",
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
  if (todo === undefined) throw unknownRecord("Todo");
  return todo;
}
