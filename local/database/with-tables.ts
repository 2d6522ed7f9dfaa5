import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { operatorClientConfig } from "../../lib/aws.ts";
import { tableConstructId } from "../../lib/construct-ids.ts";
import { documentClient } from "../../lib/repositories/dynamodb/client.ts";
import { localRegion } from "../stack/arn.ts";
import type { TableModel } from "../stack/model.ts";
import { type EngineAddress, engineAgent } from "./dynamodb-call.ts";

/**
 * Uses the repositories' client on the engine's tables, without IAM checks, and closes it afterwards.
 *
 * @param work gets the name of an area's table from `findTable`; undefined if the stack has none
 */
export async function withTables<T>(
  engine: EngineAddress,
  tables: readonly TableModel[],
  work: (client: DynamoDBDocumentClient, findTable: (area: string) => string | undefined) => Promise<T>,
): Promise<T> {
  const client = documentClient({
    config: {
      endpoint: engine.endpoint,
      region: localRegion,
      credentials: { accessKeyId: "local", secretAccessKey: "local" },
      requestHandler: { ...operatorClientConfig.requestHandler, httpAgent: engineAgent(engine) },
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
