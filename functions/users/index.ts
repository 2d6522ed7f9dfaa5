import { Passwords } from "../../lib/auth/passwords.ts";
import { serve } from "../../lib/http/serve.ts";
import { accountsRepository } from "../../lib/repositories/accounts.ts";
import { documentClient } from "../../lib/repositories/client.ts";
import { usersRepository } from "../../lib/repositories/users.ts";
import { usersListForms } from "../../lib/schemas/users-list.ts";
import { choiceSetting, setting } from "../../lib/settings.ts";
import { type RegistrationServices, registration } from "../accounts/registration.ts";
import { type UsersServices, usersRoutes } from "./routes.ts";

/** `POST /users/` is the accounts' own; a gateway that makes no difference of the slash sends it here. */
const routes = [...usersRoutes(setting("VERSION_HEADER")), registration];

export const handler = serve<UsersServices & RegistrationServices>(routes, () => {
  const client = documentClient();
  return {
    users: usersRepository(client, setting("USERS_TABLE")),
    accounts: accountsRepository(client, setting("ACCOUNTS_TABLE")),
    passwords: new Passwords(),
    usersList: choiceSetting("USERS_LIST", usersListForms),
  };
});
