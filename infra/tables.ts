import { RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
import {
  type Attribute,
  AttributeType,
  BillingMode,
  ProjectionType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import type { Stage } from "./stages.ts";

/** The tables of records under ids that the service assigns. */
const recordTables = ["items", "orders", "posts", "products", "todos", "users"] as const;

/** An index beside the table's own keys. */
interface Index {
  /** A global index: its key, and then the id. */
  readonly partitionKey?: Attribute;
  /** A local index: what it is sorted by within the table's partition key. */
  readonly sortKey?: Attribute;
  /** The attributes that it holds beside the keys; all of them unless told. */
  readonly attributes?: readonly string[];
}

const indexes = {
  // Lists name the items; the texts, which are large, are left to the table.
  items: { names: { sortKey: { name: "listed", type: AttributeType.NUMBER }, attributes: ["name"] } },
  orders: {
    "by-status": { partitionKey: { name: "status", type: AttributeType.STRING } },
    "by-user": { partitionKey: { name: "user_id", type: AttributeType.NUMBER } },
  },
  // The keys alone: a view that is counted changes nothing here.
  posts: { "by-author": { partitionKey: { name: "author_id", type: AttributeType.NUMBER }, attributes: [] } },
} as const satisfies { readonly [T in (typeof recordTables)[number]]?: Readonly<Record<string, Index>> };

type Indexes = typeof indexes;
/** An index as its ARN ends. */
export type IndexName = { [T in keyof Indexes]: `${T}/index/${keyof Indexes[T] & string}` }[keyof Indexes];

export type TableName = (typeof recordTables)[number] | "accounts";
export type Tables = Readonly<Record<TableName, Table>>;

/** The same, for names of which the types above know too much. */
const declared: { readonly [T in TableName]?: Readonly<Record<string, Index>> } = indexes;

/**
 * The names of a table's global indexes. They have throughput and partitions of their own; a local index has those of
 * its table.
 */
export function globalIndexesOf(name: TableName): string[] {
  return Object.entries(declared[name] ?? {}).flatMap(([index, { partitionKey }]) =>
    partitionKey ? [index] : [],
  );
}

/**
 * A table per area (docs/adr/0002).
 *
 * @returns the tables by area
 */
export function tables(stack: Stack, stage: Stage): Tables {
  const records = recordTables.map((name) => [name, recordTable(stack, stage, name)]);
  return {
    ...Object.fromEntries(records),
    accounts: table(stack, stage, "accounts", AttributeType.STRING),
  } as Tables;
}

/** Keyed by block and id; the books lie in a partition of their own (docs/adr/0003). */
function recordTable(stack: Stack, stage: Stage, name: TableName): Table {
  const records = table(stack, stage, name, AttributeType.NUMBER);
  for (const [indexName, index] of Object.entries(declared[name] ?? {})) addIndex(records, indexName, index);
  return records;
}

function addIndex(records: Table, indexName: string, { partitionKey, sortKey, attributes }: Index): void {
  const projection =
    attributes === undefined
      ? { projectionType: ProjectionType.ALL }
      : attributes.length === 0
        ? { projectionType: ProjectionType.KEYS_ONLY }
        : { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] };
  const id = { name: "sk", type: AttributeType.NUMBER };
  if (sortKey) records.addLocalSecondaryIndex({ indexName, sortKey, ...projection });
  if (partitionKey) records.addGlobalSecondaryIndex({ indexName, partitionKey, sortKey: id, ...projection });
}

function table(stack: Stack, stage: Stage, name: TableName, sortKeyType: AttributeType): Table {
  const made = new Table(stack, `${capitalize(name)}Table`, {
    partitionKey: { name: "pk", type: AttributeType.STRING },
    sortKey: { name: "sk", type: sortKeyType },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.DEFAULT,
    // Idempotency keys, a day after they came, and among the accounts the counters of failed logins.
    timeToLiveAttribute: "expires_at",
    deletionProtection: stage.keepData,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: stage.keepData },
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  if (!stage.keepData) {
    Validations.of(made).acknowledge({
      id: "AwsSolutions-DDB3",
      reason: "The dev stage's data goes with its stack: there is nothing to restore",
    });
  }
  return made;
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
