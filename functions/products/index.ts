import { secret } from "../../lib/auth/secrets.ts";
import { Tokens } from "../../lib/auth/tokens.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { ProductsRepository } from "../../lib/repositories/products.ts";
import { setting } from "../../lib/settings.ts";
import { productsRoutes } from "./routes.ts";

export const handler = createHandler(productsRoutes, () => {
  const client = documentClient();
  return {
    products: new ProductsRepository(client, setting("PRODUCTS_TABLE")),
    accounts: new AccountsRepository(client, setting("ACCOUNTS_TABLE")),
    tokens: new Tokens({ secrets: secret("SIGNING_SECRETS"), now: () => new Date() }),
  };
});
