import { bearerDependencies } from "../../lib/auth/bearer-dependencies.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const bearer = bearerDependencies(client);
  return (ownerOf) => ({
    products: new ProductsRepository(client, tableName("products"), ownerOf("products")),
    ...bearer,
  });
});

await warmUp(handler, `/products/${UNUSED_ID}`);
