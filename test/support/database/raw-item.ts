import { type RawItem, toAttributeValue } from "../../../lib/dynamodb/query.ts";

/** Converts an item to DynamoDB's JSON. Undefined attributes are left out; a set has strings. */
export function toRawItem(item: object): RawItem {
  const members = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, toRawValue(value)]));
}

function toRawValue(value: unknown): RawItem[string] {
  if (value === null) return { NULL: true };
  if (typeof value === "string" || typeof value === "number") return toAttributeValue(value);
  if (typeof value === "bigint") return { N: String(value) };
  if (typeof value === "boolean") return { BOOL: value };
  if (value instanceof Set) return { SS: [...value] };
  if (Array.isArray(value)) return { L: value.map(toRawValue) };
  return { M: toRawItem(value as object) };
}
