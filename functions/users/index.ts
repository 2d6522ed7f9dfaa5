import { Passwords } from "../../lib/auth/passwords.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { choiceSetting, setting } from "../../lib/settings.ts";
import { usersListForms } from "../../lib/validators/users-list.ts";
import { registration } from "../accounts/registration.ts";
import { usersRoutes } from "./routes.ts";

/** `POST /users/` is the accounts' own; a gateway that makes no difference of the slash sends it here. */
const routes = [...usersRoutes(setting("VERSION_HEADER")), registration];

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const accounts = setting("ACCOUNTS_TABLE");
  return {
    users: new UsersRepository(client, setting("USERS_TABLE")),
    accounts: new AccountsRepository(client, accounts),
    roles: new AccountQueries(client, accounts),
    passwords: new Passwords(),
    usersList: choiceSetting("USERS_LIST", usersListForms),
  };
});
