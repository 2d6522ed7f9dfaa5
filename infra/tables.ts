import { CfnOutput, RemovalPolicy, type Stack, Tags, Validations } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import { isScheduled, type TableDefinition } from "../functions/define-area.ts";
import { tables as definitions } from "../functions/definitions.ts";
import { DATA_FORMAT, inUseOutput, tableConstructId } from "../lib/construct-ids.ts";
import { jobs } from "./lambdas.ts";
import type { Stage } from "./settings/stages.ts";

export type Tables = ReadonlyMap<string, ITable>;

/** @throws Error when no area declares a table with this name */
export function requiredTable(tables: Tables, name: string): ITable {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`No area declares the table ${name}`);
  return table;
}

/** One table per area (docs/adr/0002). Those that the stage replaces stay in the stack (docs/adr/0023). */
export function tables(stack: Stack, stage: Stage): Tables {
  return new Map(
    Object.entries(definitions).map(([name, definition]): [string, ITable] => {
      const table = createTable(stack, stage, name, definition);
      const other = stage.tables.get(name);
      const label = stage.streams.get(name);
      return [name, other === undefined ? (table as ITable) : useTable(stack, name, other, label)];
    }),
  );
}

function useTable(stack: Stack, name: string, tableName: string, label: string | undefined): ITable {
  const output = inUseOutput(tableConstructId(name));
  new CfnOutput(stack, output, { value: tableName, description: `The ${name} are in this table` });
  const arn = { service: "dynamodb", resource: "table", resourceName: `${tableName}/stream/${label}` };
  const stream = label === undefined ? {} : { tableStreamArn: stack.formatArn(arn) };
  return Table.fromTableAttributes(stack, `${output}Table`, { tableName, ...stream });
}

function createTable(
  stack: Stack,
  stage: Stage,
  name: string,
  { hasIds, indexes = {} }: TableDefinition,
): Table {
  const hasStream = [...jobs.values()].some((job) => job.area === name && !isScheduled(job));
  // Without limits, one attacker could buy as much throughput as the account's quota allows.
  const throughputLimits = {
    maxReadRequestUnits: stage.maxReadUnits,
    maxWriteRequestUnits: stage.maxWriteUnits,
  };
  const table = new Table(stack, tableConstructId(name), {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    // Records with ids: pk is the id's block and sk the id (docs/adr/0003).
    sortKey: { name: "sk", type: hasIds ? AttributeType.NUMBER : AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...throughputLimits,
    encryption: TableEncryption.DEFAULT,
    ...(hasStream && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
    // Set on idempotency keys, on messages and on the counters of failed logins.
    timeToLiveAttribute: "expires_at",
    deletionProtection: stage.keepData,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: stage.keepData },
    // Not RETAIN_ON_UPDATE_OR_DELETE: a first deployment that fails could not delete protected tables.
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  // npm run deploy compares it.
  Tags.of(table).add("data-format", String(DATA_FORMAT));
  if (!stage.keepData)
    Validations.of(table).acknowledge({
      id: "AwsSolutions-DDB3",
      reason: "The data of the dev stage is deleted with its stack, so it needs no backup",
    });
  for (const [indexName, { partitionKey, sortKey, keysOnly }] of Object.entries(indexes))
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: partitionKey[0], type: partitionKey[1] as AttributeType },
      sortKey: sortKey
        ? { name: sortKey, type: AttributeType.STRING }
        : { name: "sk", type: AttributeType.NUMBER },
      projectionType: keysOnly ? ProjectionType.KEYS_ONLY : ProjectionType.ALL,
      ...throughputLimits,
    });
  return table;
}
