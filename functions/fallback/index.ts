import { Passwords } from "../../lib/auth/passwords.ts";
import { serve } from "../../lib/http/serve.ts";
import { accountsRepository } from "../../lib/repositories/accounts.ts";
import { documentClient } from "../../lib/repositories/client.ts";
import { ItemsRepository } from "../../lib/repositories/items.ts";
import { setting } from "../../lib/settings.ts";
import { registration } from "../accounts/registration.ts";
import { groupsByPrefix, routesByGroup } from "../groups.ts";
import { createItem } from "../items/routes.ts";
import { unmatched } from "./unmatched.ts";

/** The operations whose path ends in a slash: a gateway that tells such a path apart sends them here. */
const slashRoutes = [registration, createItem];

export const handler = serve(
  slashRoutes,
  () => {
    const client = documentClient();
    return {
      accounts: accountsRepository(client, setting("ACCOUNTS_TABLE")),
      items: new ItemsRepository(client, setting("ITEMS_TABLE")),
      passwords: new Passwords(),
    };
  },
  unmatched(Object.values(routesByGroup).flat(), Object.keys(groupsByPrefix)),
);
