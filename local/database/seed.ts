import { areaSamples } from "../../functions/samples.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { ADMIN_ROLE } from "../../lib/validators/account.ts";
import type { TableModel } from "../stack/model.ts";
import type { EngineAddress } from "./dynamodb-call.ts";
import { withTables } from "./with-tables.ts";

/**
 * Creates the first administrator and sample records, as an operator does in a deployment. Tables that the stack
 * does not have are skipped.
 *
 * @param adminPassword of the account `admin`, which is created or updated
 * @param withCatalog whether to load sample records into tables that never had a record
 * @returns how many samples were loaded
 * @throws ApiError `ServiceUnavailable` if the engine does not respond
 */
export async function seed(
  engine: EngineAddress,
  tables: readonly TableModel[],
  { adminPassword, withCatalog }: { readonly adminPassword: string; readonly withCatalog: boolean },
): Promise<number> {
  return await withTables(engine, tables, async (client, findTable) => {
    const accounts = findTable("accounts");
    if (accounts !== undefined) {
      await new AccountsRepository(client, accounts).save({
        username: "admin",
        email: "admin@example.com",
        role: ADMIN_ROLE,
        passwordHash: await new Passwords().hash(adminPassword),
      });
    }
    let loaded = 0;
    for (const [area, { load }] of withCatalog ? Object.entries(await areaSamples()) : []) {
      const table = findTable(area);
      if (table !== undefined) loaded += await load(client, table);
    }
    return loaded;
  });
}
