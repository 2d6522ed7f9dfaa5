import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { type TableName, tableConstructId } from "../../lib/areas.ts";
import { operatorClientConfig } from "../../lib/aws.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import type { TableModel } from "../stack/model.ts";
import { localRegion } from "../stack/resource-names.ts";

/** Finds a table by its area, such as `products`; undefined when the stack has none. */
export type FindTable = (area: TableName) => string | undefined;

/**
 * Works on the engine's tables with the repositories' client, as an operator would.
 *
 * @param endpoint the engine's URL
 * @param tables the stack's tables
 * @param work gets the client, which is closed afterwards
 * @returns what the work returns
 */
export async function withTables<T>(
  endpoint: string,
  tables: readonly TableModel[],
  work: (client: DynamoDBDocumentClient, findTable: FindTable) => Promise<T>,
): Promise<T> {
  const client = documentClient({
    config: {
      endpoint,
      region: localRegion,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      requestHandler: operatorClientConfig.requestHandler,
    },
  });
  const findTable = (area: TableName) =>
    tables.find(({ logicalId }) => logicalId.startsWith(tableConstructId(area)))?.request.TableName;
  try {
    return await work(client, findTable);
  } finally {
    client.destroy();
  }
}
