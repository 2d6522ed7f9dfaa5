import * as z from "zod";
import { notFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { limitToResponseSize } from "../../lib/http/pagination.ts";
import { created, response, routeBuilder } from "../../lib/http/route.ts";
import type { TodosRepository } from "../../lib/repositories/todos.ts";
import { cursorAfter, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { CreateTodoRequest, Todo, UpdateTodoRequest } from "../../lib/validators/todo.ts";

/** What the todo routes work with. */
export interface TodosDependencies {
  readonly todos: TodosRepository;
}

const route = routeBuilder<TodosDependencies>({ tag: "todos", errorFormat: "error" });
const path = z.object({ id: recordId.describe("The todo's id") });
const errors = { 404: { when: "No todo has that id", example: notFound("Todo") } };

/** The todo area (specification, "Todos"). */
export const todosRoutes = [
  route("GET /todos", {
    operationId: "listTodos",
    summary: "List all todos, or so many from a place on",
    description:
      "In the order of their ids. The list is whole, unless `limit` is given or it is longer than one answer can " +
      "be: `Link` then leads to what comes next.",
    query: ListQuery,
    responses: { 200: z.array(Todo) },
    goesOn: true,
    handle: async ({ query: { limit, cursor }, target }, { todos }) => {
      const slice = await todos.list({ after: cursor, limit });
      const { records, headers } = limitToResponseSize(slice, target, ({ id }) => cursorAfter(id));
      return response(200, records, headers);
    },
  }),
  route("GET /todos/{id}", {
    operationId: "getTodo",
    summary: "Get a todo",
    description: "An id that is no integer is 404 as well, as in every operation on a todo.",
    path,
    responses: { 200: Todo },
    errors,
    etag: entityTag,
    handle: async ({ path: { id } }, { todos }) => response(200, found(await todos.get(id))),
  }),
  route("POST /todos", {
    operationId: "createTodo",
    summary: "Create a todo",
    description: "`completed` begins as `false`, whatever the request says of it.",
    body: CreateTodoRequest,
    responses: { 201: Todo },
    responseHeaders: { 201: ["location"] },
    creates: true,
    etag: entityTag,
    handle: async ({ body, idempotency }, { todos }) => {
      const creation = await todos.create({ title: body.title, completed: false }, idempotency);
      return created(creation.record, creation, { location: `/todos/${creation.record.id}` });
    },
  }),
  route("PUT /todos/{id}", {
    operationId: "updateTodo",
    summary: "Change a todo; absent and null fields keep their values",
    description:
      "A body is needed, and is checked before whether there is such a todo; `{}` changes nothing.",
    path,
    body: UpdateTodoRequest,
    responses: { 200: Todo },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, body, precondition }, { todos }) => {
      const changes = { title: body.title ?? undefined, completed: body.completed ?? undefined };
      return response(200, found(await todos.update(id, changes, precondition)));
    },
  }),
  route("DELETE /todos/{id}", {
    operationId: "deleteTodo",
    summary: "Delete a todo",
    description: "The id is not given to another todo, so that a second attempt is 404.",
    path,
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { todos }) => {
      found((await todos.remove(id, precondition)) || undefined);
      return response(204);
    },
  }),
];

function found<T>(todo: T | undefined): T {
  if (todo === undefined) throw notFound("Todo");
  return todo;
}
