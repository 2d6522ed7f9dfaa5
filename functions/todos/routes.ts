import * as z from "zod/mini";
import { notFound } from "../../lib/domain/errors.ts";
import { entityTag } from "../../lib/http/etag.ts";
import { listResponse } from "../../lib/http/pagination.ts";
import { created, deleted, found, routeBuilder } from "../../lib/http/route.ts";
import { StoredTodo, type TodosRepository } from "../../lib/repositories/todos.ts";
import { byId, ListQuery } from "../../lib/validators/cursor.ts";
import { recordId } from "../../lib/validators/parameter.ts";
import { CreateTodoRequest, Todo, UpdateTodoRequest } from "../../lib/validators/todo.ts";

const route = routeBuilder<{ readonly todos: TodosRepository }>({ tag: "todos", errorFormat: "error" });
const path = z.object({ id: recordId("The todo's id") });
const errors = { 404: { when: "No todo has this id", example: notFound("Todo") } };

export const routes = [
  route("GET /todos", {
    operationId: "listTodos",
    summary: "List todos, optionally paginated",
    description:
      "In id order. The list is complete unless `limit` is given or it exceeds a response: then follow " +
      '`Link: rel="next"`.',
    request: { query: ListQuery },
    responses: { 200: z.array(Todo) },
    handle: async ({ query: { limit, cursor }, target, budget }, { todos }) => {
      const page = await todos.list({ after: cursor, limit }, budget().forPart());
      return listResponse(page, target, byId);
    },
  }),
  route("GET /todos/{id}", {
    operationId: "getTodo",
    summary: "Get a todo",
    description: "An id that is not an integer is a 404, as in every operation on a todo.",
    request: { path },
    responses: { 200: Todo },
    errors,
    etag: entityTag,
    handle: async ({ path: { id } }, { todos }) => found(await todos.get(id), "Todo"),
  }),
  route("POST /todos", {
    operationId: "createTodo",
    summary: "Create a todo",
    description: "`completed` is initially `false`, even if the request has another value.",
    request: { body: CreateTodoRequest },
    responses: { 201: Todo },
    etag: entityTag,
    location: ({ id }: Todo) => `/todos/${id}`,
    handle: async ({ body, idempotency }, { todos }) =>
      created(await todos.create({ title: body.title, completed: false }, idempotency)),
  }),
  route("PUT /todos/{id}", {
    operationId: "updateTodo",
    summary: "Change a todo; absent and null fields keep their values",
    description: "A body is required and validated before the todo is looked up; `{}` changes nothing.",
    request: { path, body: UpdateTodoRequest },
    responses: { 200: Todo },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, body, precondition }, { todos }) =>
      found(await todos.update(id, body, precondition), "Todo"),
  }),
  route("DELETE /todos/{id}", {
    operationId: "deleteTodo",
    summary: "Delete a todo",
    description: "Its id is not reused, so a second attempt is a 404.",
    request: { path },
    responses: { 204: z.undefined() },
    errors,
    etag: entityTag,
    handle: async ({ path: { id }, precondition }, { todos }) =>
      deleted(await todos.remove(id, precondition), "Todo"),
  }),
];

export const stored = { schema: StoredTodo };
