import { Passwords } from "../../lib/auth/passwords.ts";
import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-lists.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { setting } from "../../lib/settings.ts";
import { accountsRoutes } from "./routes.ts";

export const handler = createHandler(accountsRoutes, () => {
  const client = documentClient();
  const table = setting("ACCOUNTS_TABLE");
  const now = () => new Date();
  return {
    accounts: new AccountsRepository(client, table),
    accountLists: new AccountQueries(client, table),
    logins: new LoginThrottle(client, table, now),
    passwords: new Passwords(),
    tokens: new Tokens({ secrets: secret("SIGNING_SECRETS"), now }),
  };
});
