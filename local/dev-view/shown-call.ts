import { parseJson } from "../../lib/parse-json.ts";
import type { AwsCall } from "../aws/credentials.ts";
import { isObject } from "../json.ts";
import { mask } from "./shown-body.ts";

const maxLines = 30;
const maxLength = 500;

/** Those whose values are items, of which the key is shown; the others are expressions and settings. */
const items = ["Key", "Keys", "Item", "ExclusiveStartKey"];
const parts = [
  ...[...items, "KeyConditionExpression", "FilterExpression", "ConditionExpression"],
  ...["UpdateExpression", "Limit", "ScanIndexForward", "ConsistentRead"],
];

/** What a call to DynamoDB is about: keys, and expressions with names and values. */
export function callInput(request: object): string {
  return linesOf(request).slice(0, maxLines).join("\n");
}

/** @param request or a member of a batch or transaction, which is found however deep it is */
function linesOf(request: unknown, kind = ""): string[] {
  if (!isObject(request)) return [];
  const { TransactItems, RequestItems } = request;
  const inner = Object.values(Object(TransactItems ?? RequestItems)).flat();
  if (inner.length > 0) return inner.flatMap((member) => linesOf(member));
  const own = parts.filter((part) => request[part] !== undefined);
  if (own.length === 0) return Object.entries(request).flatMap(([name, each]) => linesOf(each, `${name}: `));
  return own.map((part) => `${kind}${part} ${formatPart(part, request)}`.slice(0, maxLength));
}

function formatPart(part: string, request: Readonly<Record<string, unknown>>): string {
  const value = request[part];
  if (items.includes(part)) return [value].flat().map(formatKey).join(", ");
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = request;
  const text = String(value)
    .replaceAll(/#\w+/g, (name) => String(Object(names)[name] ?? name))
    .replaceAll(/:\w+/g, (name) => formatValue(Object(values)[name]));
  return text.replaceAll(/(\w*(?:password|token|secret)\w*\s*=\s*)"[^"]*"/gi, `$1${mask}`);
}

function formatKey(item: unknown): string {
  const { pk, sk } = Object(item);
  return [pk, sk].map(formatValue).join(" / ");
}

function formatValue(value: unknown): string {
  return JSON.stringify(plainValue(value)) ?? "";
}

export function callResult({ operation, statusCode, response }: AwsCall): string {
  const body = Object(parseJson(response));
  if (statusCode >= 400)
    return `${String(body.__type).replace(/^.*#/, "")}: ${body.message ?? body.Message}`.slice(0, maxLength);
  if (operation === "GetItem") return body.Item ? "found" : "not found";
  const count = body.Count ?? (body.Responses && Object.values(body.Responses).flat().length);
  if (count === undefined) return "done";
  return `items: ${count}${body.LastEvaluatedKey ? ", more follow" : ""}`;
}

/** An attribute's value without its types. A number that JavaScript would round stays a text. */
function plainValue(value: unknown): unknown {
  const [[type, content] = []] = Object.entries(Object(value));
  if (type === "N") return Math.abs(Number(content)) <= Number.MAX_SAFE_INTEGER ? Number(content) : content;
  if (type === "L") return (content as unknown[]).map(plainValue);
  return type === "M" ? plainItem(Object(content)) : content;
}

/** An item as an object, with its attributes in alphabetical order. */
export function plainItem(item: object): Record<string, unknown> {
  const attributes = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(attributes.map(([name, value]) => [name, plainValue(value)]));
}
