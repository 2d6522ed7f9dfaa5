import { secret } from "../../lib/auth/secrets.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { warmUp } from "../../lib/http/warm-up.ts";
import { UsersRepository } from "../../lib/repositories/users.ts";
import { tableName } from "../../lib/settings.ts";
import { notFoundHandler, routes } from "./routes.ts";

export const handler = createHandler(
  routes,
  () => {
    const users = new UsersRepository(documentClient(), tableName("users"));
    const dependencies = { users, keys: secret("API_KEYS") };
    return () => dependencies;
  },
  notFoundHandler,
);

// Reads the keys.
await warmUp(handler, "/api/v1/users", { "x-api-key": "none" });
