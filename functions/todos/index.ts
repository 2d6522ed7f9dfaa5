import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { TodosRepository } from "../../lib/repositories/todos.ts";
import { setting } from "../../lib/settings.ts";
import { todosRoutes } from "./routes.ts";

export const handler = createHandler(todosRoutes, () => ({
  todos: new TodosRepository(documentClient(), setting("TODOS_TABLE")),
}));
