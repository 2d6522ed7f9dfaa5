import { secret } from "../../lib/auth/secrets.ts";
import { serve } from "../../lib/http/serve.ts";
import { documentClient } from "../../lib/repositories/client.ts";
import { usersRepository } from "../../lib/repositories/users.ts";
import { setting } from "../../lib/settings.ts";
import { keyedRoutes, keyedUnmatched } from "./routes.ts";

export const handler = serve(
  keyedRoutes,
  () => ({
    users: usersRepository(documentClient(), setting("USERS_TABLE")),
    keys: secret("API_KEYS"),
  }),
  keyedUnmatched,
);
