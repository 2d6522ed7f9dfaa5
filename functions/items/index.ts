import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { ItemsRepository } from "../../lib/repositories/items.ts";
import { setting, tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => ({
  items: new ItemsRepository(documentClient(), tableName("items")),
  cacheSeconds: Number(setting("ITEM_CACHE_SECONDS")),
}));

await warmUp(handler, `/items/${UNUSED_ID}`);
