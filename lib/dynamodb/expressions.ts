import type { StoredItem } from "./query.ts";

export type Precondition<T> = (record: T) => void;

/** Its names and values may be empty: `toRawInput` leaves them out. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: StoredItem;
}

export const itemExists: Condition = { ConditionExpression: "attribute_exists(pk)" };
export const itemIsAbsent: Condition = { ConditionExpression: "attribute_not_exists(pk)" };

/** The condition that an item still has these attributes, at least one; undefined for one that did not exist. */
export function unchanged(attributes: StoredItem): Condition {
  const seen = Object.entries(attributes).filter(([name]) => name !== "pk" && name !== "sk");
  return {
    ConditionExpression: seen
      .map(([, value], i) =>
        value === undefined ? `attribute_not_exists(#seen${i})` : `#seen${i} = :seen${i}`,
      )
      .join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(seen.map(([name], i) => [`#seen${i}`, name])),
    ExpressionAttributeValues: Object.fromEntries(seen.map(([, value], i) => [`:seen${i}`, value])),
  };
}

/** The condition that all hold, at least two. Their placeholders must not collide. */
export function allOf(...conditions: readonly Condition[]): Condition {
  return {
    // A condition may contain OR.
    ConditionExpression: conditions
      .map(({ ConditionExpression }) => `(${ConditionExpression})`)
      .join(" AND "),
    ExpressionAttributeNames: Object.assign({}, ...conditions.map((each) => each.ExpressionAttributeNames)),
    ExpressionAttributeValues: Object.assign({}, ...conditions.map((each) => each.ExpressionAttributeValues)),
  };
}

/** The parameters of an update. @param changes undefined keeps the current value */
export function updateOf(changes: StoredItem, condition?: Condition, removed: readonly string[] = []) {
  const ExpressionAttributeNames: Record<string, string> = { ...condition?.ExpressionAttributeNames };
  const ExpressionAttributeValues: Record<string, unknown> = { ...condition?.ExpressionAttributeValues };
  const set = Object.entries(definedFields(changes)).map(([name, value], i) => {
    ExpressionAttributeNames[`#new${i}`] = name;
    ExpressionAttributeValues[`:new${i}`] = value;
    return `#new${i} = :new${i}`;
  });
  const remove = removed.map((name, i) => {
    ExpressionAttributeNames[`#removed${i}`] = name;
    return `#removed${i}`;
  });
  const setClause = set.length > 0 ? `SET ${set.join(", ")}` : "";
  const removeClause = remove.length > 0 ? `REMOVE ${remove.join(", ")}` : "";
  const UpdateExpression = `${setClause} ${removeClause}`.trim();
  return { ...condition, UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues };
}

export function definedFields(changes: StoredItem): StoredItem {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
