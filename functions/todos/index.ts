import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { TodosRepository } from "../../lib/repositories/todos.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  return (ownerOf) => ({ todos: new TodosRepository(client, tableName("todos"), ownerOf("todos")) });
});

await warmUp(handler, `/todos/${UNUSED_ID}`);
