import { bearerDependencies } from "../../lib/auth/bearer-dependencies.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { warmUp } from "../../lib/http/warm-up.ts";
import { AccountQueries } from "../../lib/repositories/accounts/account-queries.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const dependencies = {
    ...bearerDependencies(client),
    accountQueries: new AccountQueries(client, tableName("accounts")),
    passwords: new Passwords(),
  };
  return () => dependencies;
});

// Reads the signing secrets.
await warmUp(handler, "/users/me", { authorization: "Bearer none" });
