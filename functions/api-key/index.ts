import { secret } from "../../lib/auth/secrets.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { usersRepository } from "../../lib/repositories/users.ts";
import { tableName } from "../../lib/settings.ts";
import { apiKeyNotFound, apiKeyRoutes } from "./routes.ts";

export const handler = createHandler(
  apiKeyRoutes,
  () => ({
    users: usersRepository(documentClient(), tableName("users")),
    keys: secret("API_KEYS"),
  }),
  apiKeyNotFound,
);
