import { parseJson } from "../../infra/documentation/parse-json.ts";
import type { AwsCall } from "../aws/credentials.ts";
import { plainValue } from "../database/stored-value.ts";
import { isObject } from "../json.ts";
import { mask } from "./shown-body.ts";

const maxLines = 30;
const maxLength = 500;

const parts = [
  ...["Key", "Keys", "Item", "KeyConditionExpression", "FilterExpression", "ConditionExpression"],
  ...["UpdateExpression", "ExclusiveStartKey", "Limit", "ScanIndexForward", "ConsistentRead"],
];

/** What a call to DynamoDB is about: keys, and expressions with names and values. Of items only the key. */
export function callInput(request: unknown): string {
  return linesOf(request).slice(0, maxLines).join("\n");
}

function linesOf(request: unknown): string[] {
  if (!isObject(request)) return [];
  const { TransactItems, RequestItems } = request;
  if (Array.isArray(TransactItems))
    return TransactItems.flatMap((member) =>
      Object.entries(member).flatMap(([kind, input]) => linesOf(input).map((line) => `${kind}: ${line}`)),
    );
  if (isObject(RequestItems)) return Object.values(RequestItems).flatMap(batchLines);
  return parts.flatMap((part) =>
    request[part] === undefined ? [] : `${part} ${formatPart(part, request)}`.slice(0, maxLength),
  );
}

function batchLines(members: unknown): string[] {
  if (!Array.isArray(members)) return linesOf(members);
  return members.flatMap((member) => Object.values(Object(member)).flatMap(linesOf));
}

function formatPart(part: string, request: Readonly<Record<string, unknown>>): string {
  const value = request[part];
  if (part === "Keys") return (value as unknown[]).map((key) => formatItem(key)).join(", ");
  if (part === "Key" || part === "Item" || part === "ExclusiveStartKey") return formatItem(value);
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = request;
  const text = String(value)
    .replaceAll(/#\w+/g, (name) => String(Object(names)[name] ?? name))
    .replaceAll(/:\w+/g, (name) => formatValue(Object(values)[name]));
  return text.replaceAll(/(\w*(?:password|token|secret)\w*\s*=\s*)"[^"]*"/gi, `$1${mask}`);
}

function formatItem(item: unknown): string {
  const { pk, sk } = Object(item);
  return [pk, sk].map(formatValue).join(" / ");
}

function formatValue(value: unknown): string {
  return JSON.stringify(plainValue(value)) ?? "";
}

export function callResult({ operation, statusCode, response }: AwsCall): string {
  const body = parseJson(response);
  if (!isObject(body)) return "";
  if (statusCode >= 400) {
    const { __type, Message = "", message = Message } = body;
    return `${String(__type).replace(/^.*#/, "")}: ${message}`.slice(0, maxLength);
  }
  if (operation === "GetItem") return body.Item ? "found" : "not found";
  if (typeof body.Count === "number")
    return `items: ${body.Count}${body.LastEvaluatedKey ? ", more follow" : ""}`;
  if (isObject(body.Responses)) return `items: ${Object.values(body.Responses).flat().length}`;
  return "done";
}
