import { secret } from "../../lib/auth/secrets.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { warmUp } from "../../lib/http/warm-up.ts";
import * as areas from "./handled-areas.ts";
import { notFoundHandler, routes } from "./routes.ts";

const handled = Object.values(areas);

export const handler = createHandler(
  [...routes, ...handled.flatMap((area) => area.routes)],
  () => {
    const client = documentClient();
    const others = handled.map(({ dependencies }) => dependencies(client));
    const all = Object.assign({ keys: secret("API_KEYS") }, ...others);
    return () => all;
  },
  notFoundHandler,
);

// Reads the keys.
await warmUp(handler, "/api/protected", { "x-api-key": "none" });
