import { bearerDependencies } from "../../lib/auth/bearer-dependencies.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { LoginThrottle } from "../../lib/repositories/accounts/login-throttle.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const dependencies = {
    ...bearerDependencies(client),
    loginThrottle: new LoginThrottle(client, tableName("accounts"), () => new Date()),
    passwords: new Passwords(),
  };
  return () => dependencies;
});
