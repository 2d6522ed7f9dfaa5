import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { UNUSED_ID, warmUp } from "../../lib/http/warm-up.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import { tableName } from "../../lib/settings.ts";
import { routes } from "./routes.ts";

export const handler = createHandler(routes, () => {
  const client = documentClient();
  const accounts = new AccountsRepository(client, tableName("accounts"));
  const tokens = new Tokens({ secrets: secret("SIGNING_SECRETS"), now: () => new Date() });
  return (ownerOf) => ({
    products: new ProductsRepository(client, tableName("products"), ownerOf("products")),
    accounts,
    tokens,
  });
});

await warmUp(handler, `/products/${UNUSED_ID}`);
