import { UsersRepository } from "../../../lib/repositories/users.ts";
import type { ReadBudgets } from "../../support/database/read-budgets.ts";
import { authorization } from "./authorization.ts";

export const budgets: ReadBudgets = {
  dependencies: (client) => ({
    users: new UsersRepository(client, "users"),
    ...authorization([]),
    usersList: "records",
  }),
  advice: { "/users?name=x": "Request fewer", "/users?sort=age&limit=1": "without `sort`" },
};
