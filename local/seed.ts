import { Passwords } from "../lib/auth/passwords.ts";
import { loadCatalog } from "../lib/catalog.ts";
import { accountsRepository } from "../lib/repositories/accounts.ts";
import { documentClient } from "../lib/repositories/client.ts";
import { productsRepository } from "../lib/repositories/products.ts";
import { ADMIN_ROLE } from "../lib/schemas/account.ts";
import type { TableModel } from "./model.ts";
import { localRegion } from "./names.ts";

/** What a run puts into its database before it serves. */
export interface Seed {
  /** The password of the account `admin`, which is created, or changed to have it. */
  readonly adminPassword: string;
  /** Whether an empty products table gets the catalog. */
  readonly withCatalog: boolean;
}

/**
 * Puts in what a deployment's operator would: the first administrator, and a catalog to try the service with.
 *
 * @param endpoint the engine's URL
 * @param tables the stack's tables; one that it does not have is passed over
 * @returns how many products were loaded
 * @throws Failure `ServiceUnavailable` when the engine does not answer
 */
export async function seed(
  endpoint: string,
  tables: readonly TableModel[],
  { adminPassword, withCatalog }: Seed,
): Promise<number> {
  const client = documentClient({
    config: {
      endpoint,
      region: localRegion,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
    },
  });
  const tableName = (label: string) =>
    tables.find(({ logicalId }) => logicalId.startsWith(label))?.request.TableName;
  const accounts = tableName("AccountsTable");
  const products = tableName("ProductsTable");
  try {
    if (accounts !== undefined) {
      await accountsRepository(client, accounts).save({
        username: "admin",
        email: "admin@example.com",
        role: ADMIN_ROLE,
        passwordHash: await new Passwords().hash(adminPassword),
      });
    }
    return products !== undefined && withCatalog
      ? await loadCatalog(productsRepository(client, products))
      : 0;
  } finally {
    client.destroy();
  }
}
