import { TodosRepository } from "../../lib/repositories/todos.ts";
import type { AreaPerson } from "../define-area.ts";

export const person: AreaPerson = {
  open: (client, table, owner) => new TodosRepository(client, table).ownedBy(owner),
};
