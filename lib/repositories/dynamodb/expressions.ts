import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { cancellationCodes, isErrorNamed } from "./client.ts";
import type { StoredItem } from "./query.ts";

/**
 * What somebody expects of a record that is about to change: it throws when the record is another one. What it
 * was called with is then what the write's own condition asks for.
 */
export type Precondition<T> = (record: T) => void;

/**
 * The condition that an item is as it was read, in every attribute but its keys. Its names begin with `#seen`
 * and its values with `:seen`.
 *
 * @param item as it was read; or some of its attributes
 */
export function unchanged(item: StoredItem) {
  const seen = Object.entries(item).filter(([name]) => name !== "pk" && name !== "sk");
  return {
    ConditionExpression: ["attribute_exists(pk)", ...seen.map((_, i) => `#seen${i} = :seen${i}`)].join(
      " AND ",
    ),
    ExpressionAttributeNames: Object.fromEntries(seen.map(([name], i) => [`#seen${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(seen.map(([, value], i) => [`:seen${i}`, value])),
  };
}

/**
 * What the failed condition of an update, or of a transaction's first line, has met. It has to have asked for
 * it with `ReturnValuesOnConditionCheckFailure: "ALL_OLD"`.
 *
 * @param error anything thrown
 * @returns the item as DynamoDB writes it, empty where there is none; undefined for any other error
 */
export function conditionFailureItem(error: unknown): Readonly<Record<string, AttributeValue>> | undefined {
  if (isErrorNamed(error, "ConditionalCheckFailedException")) return (error as Met).Item ?? {};
  if (cancellationCodes(error)?.[0] !== "ConditionalCheckFailed") return undefined;
  return (error as { CancellationReasons?: Met[] }).CancellationReasons?.[0]?.Item ?? {};
}

interface Met {
  readonly Item?: Record<string, AttributeValue>;
}
