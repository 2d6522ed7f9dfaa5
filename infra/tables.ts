import { CfnOutput, RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import {
  type Attribute,
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import {
  tables as declaredTables,
  type IndexPath,
  inUseOutput,
  type TableName,
  tableConstructId,
  tableNames,
} from "../lib/areas.ts";
import type { Stage } from "./stages.ts";

/** A global index, whose sort key is the id. */
interface Index {
  readonly partitionKey: Attribute;
  /** The projected attributes, in addition to the keys; all by default. */
  readonly attributes?: readonly string[];
}

const indexes: Readonly<Record<IndexPath, Index>> = {
  // The heads of orders, of at most 1 KB: the cart of a large order is in its body, which has no such attributes.
  "orders/index/by-status": { partitionKey: { name: "status", type: AttributeType.STRING } },
  "orders/index/by-user": { partitionKey: { name: "user_id", type: AttributeType.NUMBER } },
  // Keys only, so that counting a view does not write to the index.
  "posts/index/by-author": {
    partitionKey: { name: "author_id", type: AttributeType.NUMBER },
    attributes: [],
  },
};

/** The tables that the stage uses. */
export type Tables = Readonly<Record<TableName, ITable>>;

function indexesOf(table: TableName): [indexName: string, Index][] {
  return declaredTables[table].indexes.map((name) => [name, indexes[`${table}/index/${name}` as IndexPath]]);
}

/** One table per area (docs/adr/0002). Those that the stage replaces by others stay in the stack (docs/adr/0023). */
export function tables(stack: Stack, stage: Stage): Tables {
  const entries = tableNames.map((name) => {
    const table = createTable(stack, stage, name);
    const other = stage.tables.get(name);
    return [name, other === undefined ? table : useTable(stack, name, other)];
  });
  return Object.fromEntries(entries) as Tables;
}

/** A table that is not part of the stack. The output tells it to the operators' commands and to the local run. */
function useTable(stack: Stack, name: TableName, tableName: string): ITable {
  const output = inUseOutput(tableConstructId(name));
  new CfnOutput(stack, output, { value: tableName, description: `The ${name} are in this table` });
  return Table.fromTableName(stack, `${output}Table`, tableName);
}

function createTable(stack: Stack, stage: Stage, name: TableName): Table {
  const table = new Table(stack, tableConstructId(name), {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    // Records with ids: pk is the id's block and sk the id (docs/adr/0003).
    sortKey: {
      name: "sk",
      type: declaredTables[name].hasIds ? AttributeType.NUMBER : AttributeType.STRING,
    },
    billingMode: BillingMode.PAY_PER_REQUEST,
    ...throughputLimits(stage),
    encryption: TableEncryption.DEFAULT,
    // Set on idempotency keys and on the counters of failed logins.
    timeToLiveAttribute: "expires_at",
    deletionProtection: stage.keepData,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: stage.keepData },
    // Not RETAIN_ON_UPDATE_OR_DELETE: when a first deployment fails, CloudFormation could not delete protected tables.
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  if (!stage.keepData) {
    Validations.of(table).acknowledge({
      id: "AwsSolutions-DDB3",
      reason: "The data of the dev stage is deleted with its stack, so it needs no backup",
    });
  }
  for (const [indexName, index] of indexesOf(name)) addIndex(table, stage, indexName, index);
  return table;
}

function addIndex(table: Table, stage: Stage, indexName: string, index: Index): void {
  const { attributes } = index;
  const projection =
    attributes === undefined
      ? { projectionType: ProjectionType.ALL }
      : attributes.length === 0
        ? { projectionType: ProjectionType.KEYS_ONLY }
        : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] };
  table.addGlobalSecondaryIndex({
    indexName,
    partitionKey: index.partitionKey,
    sortKey: { name: "sk", type: AttributeType.NUMBER },
    ...projection,
    ...throughputLimits(stage),
  });
}

/** Without limits, one attacker could buy as much throughput as the account's quota allows. */
function throughputLimits({ maxReadUnits, maxWriteUnits }: Stage) {
  return { maxReadRequestUnits: maxReadUnits, maxWriteRequestUnits: maxWriteUnits };
}
