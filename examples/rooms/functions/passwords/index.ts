import { Passwords } from "../../lib/auth/passwords.ts";
import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { warmUp } from "../../lib/http/warm-up.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { PasswordsRepository } from "../../lib/repositories/passwords.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const accounts = new AccountsRepository(client, tableName("accounts"));
  const dependencies = {
    accounts,
    mailTokens: new PasswordsRepository(client, tableName("passwords"), accounts, Date.now),
    passwords: new Passwords(),
    tokens: new Tokens({ secrets: secret("SIGNING_SECRETS"), now: () => new Date() }),
  };
  return () => dependencies;
});

// Reads the signing secrets.
await warmUp(handler, "/confirmations/me");
