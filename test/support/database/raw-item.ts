import { type RawItem, toAttributeValue } from "../../../lib/dynamodb/attribute-values.ts";

/** Converts an item to DynamoDB's JSON. Undefined attributes are left out; one may be a set of strings. */
export function toRawItem(item: object): RawItem {
  const members = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      value instanceof Set ? { SS: [...value] } : toAttributeValue(value),
    ]),
  );
}
