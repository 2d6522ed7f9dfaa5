import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { FilesRepository } from "../../lib/repositories/files.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";
import { openStore } from "./store.ts";

export const handler = createHandler(routes, () => {
  const [client, store] = [documentClient(), openStore()];
  return (ownerOf) => ({ files: new FilesRepository(client, tableName("files"), ownerOf("files")), store });
});

await warmUp(handler, `/files/${UNUSED_ID}`);
