import { CreateTableCommand, type CreateTableCommandInput, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { resolveStage } from "../../../infra/stages.ts";
import { tableOf, tables } from "../../../infra/tables.ts";
import { connection } from "../database/database.ts";
import { synthesizePart } from "./part-of-stack.ts";

const { stack, declared, template } = synthesizePart((part) => tables(part, resolveStage("dev", {})));
const { Resources: resources } = template.toJSON();
let created = 0;

/**
 * Creates an empty table with a unique name and the stack's keys and indexes.
 *
 * @returns the table's name
 */
export async function stackTable(endpoint: string, area: string): Promise<string> {
  created += 1;
  const TableName = `${area}-${process.pid}-${process.env.VITEST_WORKER_ID ?? 0}-${Date.now()}-${created}`;
  const logicalId = stack.getLogicalId(tableOf(declared, area).node.defaultChild as never);
  const {
    AttributeDefinitions,
    KeySchema,
    BillingMode,
    GlobalSecondaryIndexes,
    LocalSecondaryIndexes,
  }: CreateTableCommandInput = resources[logicalId].Properties;
  const client = new DynamoDBClient(connection(endpoint));
  await client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions,
      KeySchema,
      BillingMode,
      GlobalSecondaryIndexes,
      LocalSecondaryIndexes,
    }),
  );
  client.destroy();
  return TableName;
}
