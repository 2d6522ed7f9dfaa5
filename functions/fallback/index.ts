import { Passwords } from "../../lib/auth/passwords.ts";
import { createHandler } from "../../lib/http/handler.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { ItemsRepository } from "../../lib/repositories/items.ts";
import { tableName } from "../../lib/settings.ts";
import { registration } from "../accounts/registration.ts";
import { createItem } from "../items/routes.ts";
import { groupsByPrefix, routesByGroup } from "../routes.ts";
import { createNotFoundHandler } from "./not-found.ts";

/** The operations whose path ends in a slash: a gateway that distinguishes such paths sends them here. */
const slashRoutes = [registration, createItem];

export const handler = createHandler(
  slashRoutes,
  () => {
    const client = documentClient();
    return {
      accounts: new AccountsRepository(client, tableName("accounts")),
      items: new ItemsRepository(client, tableName("items")),
      passwords: new Passwords(),
    };
  },
  createNotFoundHandler(Object.values(routesByGroup).flat(), Object.keys(groupsByPrefix)),
);
