import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { ItemsRepository } from "../../lib/repositories/items.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const cacheSeconds = Number(setting("ITEM_CACHE_SECONDS"));
  return (ownerOf) => ({
    items: new ItemsRepository(client, tableName("items"), ownerOf("items")),
    cacheSeconds,
  });
});

await warmUp(handler, `/items/${UNUSED_ID}`);
