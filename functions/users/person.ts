import { UsersRepository } from "../../lib/repositories/users.ts";
import type { AreaPerson } from "../define-area.ts";

export const person: AreaPerson = {
  open: (client, table, owner) => new UsersRepository(client, table).ownedBy(owner),
  async find(client, table, { email }) {
    const ids: number[] = [];
    await new UsersRepository(client, table).forEach(["email"], (user) => {
      if (user.email.toLowerCase() === email?.toLowerCase()) ids.push(user.id);
    });
    return ids;
  },
};
