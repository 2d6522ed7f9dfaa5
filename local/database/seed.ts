import { Passwords } from "../../lib/auth/passwords.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { loadCatalog } from "../../lib/repositories/sample-catalog.ts";
import { ADMIN_ROLE } from "../../lib/validators/account.ts";
import type { TableModel } from "../stack/model.ts";
import { withTables } from "./with-tables.ts";

/** What a run puts into its database before it serves. */
export interface Seed {
  /** The password of the account `admin`, which is created, or changed to have it. */
  readonly adminPassword: string;
  /** Whether a products table that never had a product gets the catalog. */
  readonly withCatalog: boolean;
}

/**
 * Puts in what a deployment's operator would: the first administrator, and a catalog to try the service with.
 *
 * @param endpoint the engine's URL
 * @param tables the stack's tables; one that it does not have is passed over
 * @returns how many products were loaded
 * @throws ApiError `ServiceUnavailable` when the engine does not answer
 */
export async function seed(
  endpoint: string,
  tables: readonly TableModel[],
  { adminPassword, withCatalog }: Seed,
): Promise<number> {
  return await withTables(endpoint, tables, async (client, findTable) => {
    const accounts = findTable("accounts");
    const products = findTable("products");
    if (accounts !== undefined) {
      await new AccountsRepository(client, accounts).save({
        username: "admin",
        email: "admin@example.com",
        role: ADMIN_ROLE,
        passwordHash: await new Passwords().hash(adminPassword),
      });
    }
    return products !== undefined && withCatalog ? await loadCatalog(client, products) : 0;
  });
}
