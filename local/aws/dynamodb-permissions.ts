import { localArn } from "../stack/arn.ts";
import type { Permission } from "./iam.ts";

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

/**
 * The permissions that a DynamoDB request needs (service authorization reference; "Using IAM with DynamoDB
 * transactions").
 */
export function requiredPermissions(operation: string, body: object): Permission[] {
  const request: RequestBody = body;
  const onTable = (action: string, table: string | undefined): Permission => ({
    action: `dynamodb:${action}`,
    resource:
      table === undefined ? "*" : table.startsWith("arn:") ? table : localArn("dynamodb", `table/${table}`),
  });

  switch (operation) {
    case "BatchGetItem":
      return Object.entries(request.RequestItems ?? {}).map(([table, items]) =>
        withContext(onTable(operation, table), items),
      );
    case "BatchWriteItem":
      return Object.keys(request.RequestItems ?? {}).map((table) => onTable(operation, table));
    case "TransactGetItems":
    case "TransactWriteItems": {
      const members = (request.TransactItems ?? []).flatMap((item) => Object.entries(item));
      // Each member is checked like the single operation: `Put` like `PutItem`.
      return members.map(([kind, item]) => withContext(onTable(`${kind}Item`, item.TableName), item));
    }
    default: {
      const { action, resource } = onTable(operation, request.TableName);
      const index = request.IndexName === undefined ? "" : `/index/${request.IndexName}`;
      return [withContext({ action, resource: resource + index }, request)];
    }
  }
}

function withContext({ action, resource }: Permission, request: ItemRequest): Permission {
  return {
    action,
    resource,
    get context() {
      return contextOf(action, request);
    },
  };
}

const readActions = ["BatchGetItem", "GetItem", "Query", "Scan"].map((name) => `dynamodb:${name}`);

/** What conditions can be about. All tables have the partition key `pk`; a scan has no leading key. */
function contextOf(action: string, request: ItemRequest): NonNullable<Permission["context"]> {
  const { Item, Key, Keys = [], ProjectionExpression, ExpressionAttributeNames = {} } = request;
  const items = [Item, Key, ...Keys].filter((item) => item !== undefined);
  const keys = items.map(({ pk }) => pk);
  const [, name] = /\bpk = (:\w+)/.exec(request.KeyConditionExpression ?? "") ?? [];
  if (name !== undefined) keys.push(request.ExpressionAttributeValues?.[name]);
  const attributes = [
    ...items.flatMap((item) => Object.keys(item)),
    ...namesIn(request),
    ...Object.values(ExpressionAttributeNames),
  ];
  return {
    ...(keys.length > 0 && { "dynamodb:LeadingKeys": keys.map((key) => key?.S ?? key?.N ?? "") }),
    "dynamodb:Attributes": [...new Set(attributes)],
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
