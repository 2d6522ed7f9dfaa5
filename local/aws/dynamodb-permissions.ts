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

/** The permissions that a DynamoDB request needs (service authorization reference). */
export function requiredPermissions(operation: string, body: object): Permission[] {
  const { RequestItems = {}, TransactItems = [], IndexName, ...request }: RequestBody = body;
  switch (operation) {
    case "BatchWriteItem":
      // No condition holds for what it writes.
      return Object.keys(RequestItems).map((table) => ({ ...permission(operation, table, {}), context: {} }));
    case "BatchGetItem":
      return Object.entries(RequestItems).map(([table, items]) => permission(operation, table, items));
    case "TransactGetItems":
    case "TransactWriteItems":
      // Each member is checked like the single operation: `Put` like `PutItem`.
      return TransactItems.flatMap((item) => Object.entries(item)).map(([kind, item]) =>
        permission(`${kind}Item`, item.TableName, item),
      );
    default:
      return [permission(operation, request.TableName, request, IndexName && `/index/${IndexName}`)];
  }
}

function permission(operation: string, table: string | undefined, request: ItemRequest, index = "") {
  const arn = table?.startsWith("arn:") ? table : localArn("dynamodb", `table/${table}`);
  const resource = table === undefined ? "*" : arn + index;
  return { action: `dynamodb:${operation}`, resource, context: contextOf(operation, request) };
}

const reads = ["BatchGetItem", "GetItem", "Query", "Scan"];

/** What conditions can be about. All tables have the partition key `pk`; a scan has no leading key. */
function contextOf(operation: string, request: ItemRequest): NonNullable<Permission["context"]> {
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
    ...(reads.includes(operation) && {
      "dynamodb:Select": [ProjectionExpression === undefined ? "ALL_ATTRIBUTES" : "SPECIFIC_ATTRIBUTES"],
    }),
  };
}

const keywords = /^(AND|OR|NOT|IN|BETWEEN|SET|ADD|REMOVE|DELETE)$/i;

/** The attributes that expressions name without a placeholder. */
function namesIn(request: ItemRequest): string[] {
  const expressions = Object.entries(request).filter(([name]) => name.endsWith("Expression"));
  const text = expressions.map(([, expression]) => expression).join(" ");
  return [...text.matchAll(/(?<![:#\w])[a-z_]\w*(?![\w(])/gi)]
    .map(([name]) => name)
    .filter((name) => !keywords.test(name));
}
