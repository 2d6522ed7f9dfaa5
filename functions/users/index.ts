import { Passwords } from "../../lib/auth/passwords.ts";
import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { registration } from "../accounts/registration.ts";
import { usersRoutes } from "./routes.ts";
import type { UsersListFormat } from "./settings.ts";

/** `POST /users/` belongs to the accounts; a gateway that ignores the slash sends it here. */
const routes = [...usersRoutes(setting("VERSION_HEADER")), registration];

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const accounts = tableName("accounts");
  const shared = {
    accounts: new AccountsRepository(client, accounts),
    roles: new AccountQueries(client, accounts),
    passwords: new Passwords(),
    tokens: new Tokens({ secrets: secret("SIGNING_SECRETS"), now: () => new Date() }),
    // The stack refuses other values.
    usersList: setting("USERS_LIST") as UsersListFormat,
  };
  return (ownerOf) => ({
    users: new UsersRepository(client, tableName("users"), ownerOf("users")),
    ...shared,
  });
});

await warmUp(handler, `/users/${UNUSED_ID}`);
