import type { Permission } from "./iam.ts";

/** The members of a DynamoDB request that decide which permissions it needs. */
interface RequestBody extends ItemRequest {
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, ItemRequest>>;
  readonly TransactItems?: readonly Readonly<Record<string, ItemRequest>>[];
}

type Item = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;

/** The members of a request for a table that conditions of policies can be about. */
interface ItemRequest {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly Keys?: readonly Item[];
  readonly KeyConditionExpression?: string;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
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
      return Object.entries(request.RequestItems ?? {}).map(([table, items]) => ({
        ...onTable(operation, table),
        ...(operation === "BatchGetItem" && { context: contextOf(operation, items) }),
      }));
    case "TransactGetItems":
    case "TransactWriteItems": {
      const members = (request.TransactItems ?? []).flatMap((item) => Object.entries(item));
      return unique(
        members.map(([kind, item]) => {
          const action = transactionActions[kind] ?? kind;
          return { ...onTable(action, item.TableName), context: contextOf(action, item) };
        }),
      );
    }
    case "Query":
    case "Scan": {
      const { action, resource } = onTable(operation, request.TableName);
      const index = request.IndexName;
      return [
        withContext(
          { action, resource: index === undefined ? resource : `${resource}/index/${index}` },
          operation,
          request,
        ),
      ];
    }
    case "GetItem":
    case "PutItem":
    case "UpdateItem":
    case "DeleteItem":
      return [withContext(onTable(operation, request.TableName), operation, request)];
    default:
      return [onTable(operation, request.TableName)];
  }
}

/** Adds the context, which is read from the request when a decision depends on it. */
function withContext({ action, resource }: Permission, operation: string, request: ItemRequest): Permission {
  return {
    action,
    resource,
    get context() {
      return contextOf(operation, request);
    },
  };
}

const readActions = ["BatchGetItem", "GetItem", "Query", "Scan"];

/** What conditions can be about. The stack's tables all have the partition key `pk`; a scan has no leading key. */
function contextOf(action: string, request: ItemRequest): NonNullable<Permission["context"]> {
  const { Item, Key, Keys = [], ProjectionExpression, ExpressionAttributeNames = {} } = request;
  const keys = [Item, Key, ...Keys].filter((item) => item !== undefined).map(({ pk }) => pk);
  const [, name] = /\bpk = (:\w+)/.exec(request.KeyConditionExpression ?? "") ?? [];
  if (name !== undefined) keys.push(request.ExpressionAttributeValues?.[name]);
  const items = [Item, Key, ...Keys].flatMap((item) => Object.keys(item ?? {}));
  return {
    ...(keys.length > 0 && { "dynamodb:LeadingKeys": keys.map((key) => key?.S ?? key?.N ?? "") }),
    "dynamodb:Attributes": [
      ...new Set([...items, ...namesIn(request), ...Object.values(ExpressionAttributeNames)]),
    ],
    ...(readActions.includes(action) && {
      "dynamodb:Select": [ProjectionExpression === undefined ? "ALL_ATTRIBUTES" : "SPECIFIC_ATTRIBUTES"],
    }),
  };
}

const keywords = /^(AND|OR|NOT|IN|BETWEEN|SET|ADD|REMOVE|DELETE)$/i;

/** The attributes that expressions name without a placeholder. */
function namesIn(request: ItemRequest): string[] {
  const { ConditionExpression, KeyConditionExpression, ProjectionExpression, UpdateExpression } = request;
  const text = [ConditionExpression, KeyConditionExpression, ProjectionExpression, UpdateExpression].join(
    " ",
  );
  return [...text.matchAll(/(?<![:#\w])[a-z_]\w*(?![\w(])/gi)]
    .map(([name]) => name)
    .filter((name) => !keywords.test(name));
}

function unique(permissions: readonly Permission[]): Permission[] {
  const byText = new Map(permissions.map((entry) => [JSON.stringify(entry), entry]));
  return [...byText.values()];
}
