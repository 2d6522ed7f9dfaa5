import { Passwords } from "../../lib/auth/passwords.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { loadCatalog } from "../../lib/repositories/sample-catalog.ts";
import { ADMIN_ROLE } from "../../lib/validators/account.ts";
import type { TableModel } from "../stack/model.ts";
import type { EngineAddress } from "./dynamodb-call.ts";
import { withTables } from "./with-tables.ts";

/**
 * Creates the first administrator and the sample catalog, as an operator does in a deployment. Tables that the stack
 * does not have are skipped.
 *
 * @param adminPassword of the account `admin`, which is created or updated
 * @param withCatalog whether to load the sample catalog into a products table that never had a product
 * @returns how many products were loaded
 * @throws ApiError `ServiceUnavailable` if the engine does not respond
 */
export async function seed(
  engine: EngineAddress,
  tables: readonly TableModel[],
  { adminPassword, withCatalog }: { readonly adminPassword: string; readonly withCatalog: boolean },
): Promise<number> {
  return await withTables(engine, tables, async (client, findTable) => {
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
