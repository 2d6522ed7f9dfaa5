import { join } from "node:path";
import { assertSecretReadable, secret } from "../../lib/auth/secrets.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { warmUp } from "../../lib/http/warm-up.ts";
import { assertReadable } from "../../lib/repositories/readiness.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { Documentation } from "./documentation.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const table = tableName("accounts");
  const signingSecrets = secret("SIGNING_SECRETS");
  const dependencies = {
    async assertReady() {
      await Promise.all([assertReadable(client, table), assertSecretReadable(signingSecrets)]);
    },
    // Lambda sets the variable to the folder of the function's code.
    documentation: new Documentation(join(setting("LAMBDA_TASK_ROOT"), "documentation")),
  };
  return () => dependencies;
});

await warmUp(handler, "/health/ready");
