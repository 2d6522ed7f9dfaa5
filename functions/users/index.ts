import { bearerDependencies } from "../../lib/auth/bearer-dependencies.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { registration } from "../accounts/registration.ts";
import { usersRoutes } from "./routes.ts";
import type { UsersListFormat } from "./settings.ts";

/** `POST /users/` belongs to the accounts; a gateway that ignores the slash sends it here. */
const routes = [...usersRoutes(setting("VERSION_HEADER")), registration];

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const shared = {
    ...bearerDependencies(client),
    roles: new AccountQueries(client, tableName("accounts")),
    passwords: new Passwords(),
    // The stack refuses other values.
    usersList: setting("USERS_LIST") as UsersListFormat,
  };
  return (ownerOf) => ({
    users: new UsersRepository(client, tableName("users"), ownerOf("users")),
    ...shared,
  });
});

await warmUp(handler, `/users/${UNUSED_ID}`);
