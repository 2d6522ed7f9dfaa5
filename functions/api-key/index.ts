import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { secret } from "../../lib/auth/secrets.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import type { Route } from "../../lib/http/route.ts";
import { warmUp } from "../../lib/http/warm-up.ts";
import * as areas from "./handled-areas.ts";
import { notFoundHandler, routes } from "./routes.ts";

interface HandledArea {
  readonly routes: readonly Route[];
  readonly dependencies: (client: DynamoDBClient) => object;
}

const handled = Object.values<HandledArea>({ ...areas });
const all: readonly Route[] = [...routes, ...handled.flatMap((area) => area.routes)];

export const handler = createHandler(
  all,
  () => {
    const client = documentClient();
    const others = handled.map(({ dependencies }) => dependencies(client));
    const dependencies = Object.assign({ keys: secret("API_KEYS") }, ...others);
    return () => dependencies as never;
  },
  notFoundHandler,
);

// Reads the keys.
await warmUp(handler, "/api/protected", { "x-api-key": "none" });
