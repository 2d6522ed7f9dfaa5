import { TodosRepository } from "../../../lib/repositories/todos.ts";
import { CreateTodoRequest } from "../../../lib/validators/todo.ts";
import { type LargestRecord, longText } from "../../support/database/largest-record.ts";

const todo = { ...CreateTodoRequest.parse({ title: longText(1_000) }), completed: false };

export const largest: LargestRecord = {
  kilobytes: 4,
  create: (client, table, idempotency) => new TodosRepository(client, table).create(todo, idempotency),
};
