import type { Permission } from "./iam.ts";

/** The part of a DynamoDB request that decides which permissions it needs. */
interface RequestBody {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string }>>[];
}

/** A member of a transaction is checked as the single operation that it stands for. */
const transactionActions: Readonly<Record<string, string>> = {
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
};

/**
 * Says which permissions a DynamoDB request needs ("Actions, resources, and condition keys for Amazon DynamoDB"
 * in the service authorization reference; for transactions "Using IAM with DynamoDB transactions").
 *
 * @param operation the operation, such as `PutItem`
 * @param body the request's JSON body
 * @param tableArnPrefix what stands before a table's name in its ARN, up to and with `table/`
 * @returns each action and resource, every pair once
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
        members.map(([kind, item]) => onTable(transactionActions[kind] ?? kind, item?.TableName)),
      );
    }
    case "Query":
    case "Scan": {
      const { action, resource } = onTable(operation, request.TableName);
      const index = request.IndexName;
      return [{ action, resource: index === undefined ? resource : `${resource}/index/${index}` }];
    }
    default:
      return [onTable(operation, request.TableName)];
  }
}

function unique(permissions: readonly Permission[]): Permission[] {
  const byText = new Map(permissions.map((entry) => [`${entry.action} ${entry.resource}`, entry]));
  return [...byText.values()];
}
