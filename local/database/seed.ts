import { Agent } from "node:http";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { AreaSamples } from "../../functions/define-area.ts";
import { ofAreas } from "../../functions/of-areas.ts";
import { Passwords } from "../../lib/auth/passwords.ts";
import { localEndpointConfig, operatorClientConfig } from "../../lib/aws.ts";
import { tableConstructId } from "../../lib/construct-ids.ts";
import { ADMIN_ROLE } from "../../lib/domain/roles.ts";
import { documentClient } from "../../lib/dynamodb/client.ts";
import { AccountsRepository } from "../../lib/repositories/accounts/accounts.ts";
import { localRegion } from "../stack/arn.ts";
import type { TableModel } from "../stack/model.ts";
import type { EngineAddress } from "./dynamodb-call.ts";

/** Saves the account `admin`, and loads samples into tables that never had a record. @returns how many */
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
    for (const [area, { load }] of withCatalog ? Object.entries(await ofAreas<AreaSamples>("samples")) : []) {
      const table = findTable(area);
      if (table !== undefined) loaded += await load(client, table);
    }
    return loaded;
  });
}

/** Uses the engine's tables without IAM checks. `findTable` gives the name of an area's table. */
export async function withTables<T>(
  engine: EngineAddress,
  tables: readonly TableModel[],
  work: (client: DynamoDBClient, findTable: (area: string) => string | undefined) => Promise<T>,
): Promise<T> {
  const client = documentClient({
    config: {
      ...localEndpointConfig,
      endpoint: engine.endpoint,
      region: localRegion,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      requestHandler: { ...operatorClientConfig.requestHandler, httpAgent: new Agent({ keepAlive: true }) },
    },
  });
  const findTable = (area: string) =>
    tables.find(({ label }) => label === tableConstructId(area))?.request.TableName;
  try {
    return await work(client, findTable);
  } finally {
    client.destroy();
  }
}
