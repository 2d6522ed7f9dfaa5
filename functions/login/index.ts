import { Passwords } from "../../lib/auth/passwords.ts";
import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const table = tableName("accounts");
  const dependencies = {
    accounts: new AccountsRepository(client, table),
    loginThrottle: new LoginThrottle(client, table, () => new Date()),
    passwords: new Passwords(),
    tokens: new Tokens({ secrets: secret("SIGNING_SECRETS"), now: () => new Date() }),
  };
  return () => dependencies;
});
