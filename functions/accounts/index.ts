import { Passwords } from "../../lib/auth/passwords.ts";
import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { warmUp } from "../../lib/http/warm-up.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const table = tableName("accounts");
  const dependencies = {
    accounts: new AccountsRepository(client, table),
    accountQueries: new AccountQueries(client, table),
    passwords: new Passwords(),
    tokens: new Tokens({ secrets: secret("SIGNING_SECRETS"), now: () => new Date() }),
  };
  return () => dependencies;
});

// Reads the signing secrets.
await warmUp(handler, "/users/me", { authorization: "Bearer none" });
