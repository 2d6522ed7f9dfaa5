import { ItemsRepository } from "../../lib/repositories/items.ts";
import type { AreaPerson } from "../define-area.ts";

export const person: AreaPerson = {
  open: (client, table, owner) => new ItemsRepository(client, table).ownedBy(owner),
};
