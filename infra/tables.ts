import { RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import {
  tables as declaredTables,
  type IndexPath,
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

export type Tables = Readonly<Record<TableName, Table>>;

function indexesOf(table: TableName): [indexName: string, Index][] {
  return declaredTables[table].indexes.map((name) => [name, indexes[`${table}/index/${name}` as IndexPath]]);
}

/** One table per area (docs/adr/0002). */
export function tables(stack: Stack, stage: Stage): Tables {
  return Object.fromEntries(tableNames.map((name) => [name, createTable(stack, stage, name)])) as Tables;
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
    // Also kept if the stack's creation fails: CloudFormation could not delete a table with deletion protection.
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
