import { TodosRepository } from "../../../lib/repositories/todos.ts";
import type { ReadBudgets } from "../../support/database/read-budgets.ts";

export const budgets: ReadBudgets = {
  dependencies: (client) => ({ todos: new TodosRepository(client, "todos") }),
  advice: { "/todos": "Request fewer" },
};
