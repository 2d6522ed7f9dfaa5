import { secret } from "../../lib/auth/secrets.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { setting } from "../../lib/settings.ts";
import { apiKeyNotFound, apiKeyRoutes } from "./routes.ts";

export const handler = createHandler(
  apiKeyRoutes,
  () => ({
    users: new UsersRepository(documentClient(), setting("USERS_TABLE")),
    keys: secret("API_KEYS"),
  }),
  apiKeyNotFound,
);
