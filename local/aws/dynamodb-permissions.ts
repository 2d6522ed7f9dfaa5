import type { Permission } from "./iam.ts";

/** The members of a DynamoDB request that decide which permissions it needs. */
interface RequestBody {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, PutRequest>>[];
}

/** The members of a put that conditions of policies can be about. */
interface PutRequest {
  readonly TableName?: string;
  readonly Item?: Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
}

/** IAM checks each member of a transaction like the equivalent single operation. */
const transactionActions: Readonly<Record<string, string>> = {
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

/**
 * Lists the permissions that a DynamoDB request needs ("Actions, resources, and condition keys for Amazon DynamoDB"
 * in the service authorization reference; for transactions "Using IAM with DynamoDB transactions").
 *
 * @param operation such as `PutItem`
 * @param tableArnPrefix a table's ARN up to and including `table/`
 * @returns the permissions without duplicates
 */
export function requiredPermissions(operation: string, body: unknown, tableArnPrefix: string): Permission[] {
  const request = (body ?? {}) as RequestBody;
  const onTable = (action: string, table: string | undefined): Permission => ({
    action: `dynamodb:${action}`,
    resource: table === undefined ? "*" : table.startsWith("arn:") ? table : tableArnPrefix + table,
  });

  switch (operation) {
    case "BatchGetItem":
    case "BatchWriteItem":
      return Object.keys(request.RequestItems ?? {}).map((table) => onTable(operation, table));
    case "TransactGetItems":
    case "TransactWriteItems": {
      const members = (request.TransactItems ?? []).flatMap((item) => Object.entries(item));
      return unique(
        members.map(([kind, item]) => ({
          ...onTable(transactionActions[kind] ?? kind, item?.TableName),
          ...(kind === "Put" && { context: putContext(item) }),
        })),
      );
    }
    case "Query":
    case "Scan": {
      const { action, resource } = onTable(operation, request.TableName);
      const index = request.IndexName;
      return [{ action, resource: index === undefined ? resource : `${resource}/index/${index}` }];
    }
    case "PutItem":
      return [{ ...onTable(operation, request.TableName), context: putContext(body as PutRequest) }];
    default:
      return [onTable(operation, request.TableName)];
  }
}

/** The stack's tables all have the partition key `pk`. Names in a condition count as attributes too. */
function putContext({ Item = {}, ConditionExpression = "", ExpressionAttributeNames = {} }: PutRequest) {
  const named = [...ConditionExpression.matchAll(/(?<![:#\w])\w+(?![\w(])/g)].map(([name]) => name);
  const attributes = named.filter((name) => !/^(AND|OR|NOT|IN|BETWEEN)$/i.test(name));
  return {
    "dynamodb:LeadingKeys": [Item.pk?.S ?? Item.pk?.N ?? ""],
    "dynamodb:Attributes": [...Object.keys(Item), ...attributes, ...Object.values(ExpressionAttributeNames)],
  };
}

function unique(permissions: readonly Permission[]): Permission[] {
  const byText = new Map(permissions.map((entry) => [JSON.stringify(entry), entry]));
  return [...byText.values()];
}
