import type { StoredItem } from "./query.ts";

/** Throws if a record is not the expected one. The write then requires that it is unchanged. */
export type Precondition<T> = (record: T) => void;

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

export const itemExists: Condition = { ConditionExpression: "attribute_exists(pk)" };
export const itemIsAbsent: Condition = { ConditionExpression: "attribute_not_exists(pk)" };

/**
 * The condition that an item still has the attributes that were read, except `pk` and `sk`.
 *
 * @param attributes at least one; undefined for one that did not exist
 */
export function unchanged(attributes: StoredItem): Condition {
  const seen = Object.entries(attributes).filter(([name]) => name !== "pk" && name !== "sk");
  const values = seen.flatMap(([, value], i) => (value === undefined ? [] : [[`:seen${i}`, value] as const]));
  return {
    ConditionExpression: seen
      .map(([, value], i) =>
        value === undefined ? `attribute_not_exists(#seen${i})` : `#seen${i} = :seen${i}`,
      )
      .join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(seen.map(([name], i) => [`#seen${i}`, name])),
    ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  };
}

/** The condition that all hold, at least two. Their placeholders must not collide. */
export function allOf(...conditions: readonly Condition[]): Condition {
  const names = conditions.map(({ ExpressionAttributeNames }) => ExpressionAttributeNames);
  const values = conditions.map(({ ExpressionAttributeValues }) => ExpressionAttributeValues);
  return {
    // A condition may contain OR.
    ConditionExpression: conditions
      .map(({ ConditionExpression }) => `(${ConditionExpression})`)
      .join(" AND "),
    ...(names.some(Boolean) && { ExpressionAttributeNames: Object.assign({}, ...names) }),
    ...(values.some(Boolean) && { ExpressionAttributeValues: Object.assign({}, ...values) }),
  };
}

/** The parameters of an update. @param changes undefined keeps the current value */
export function updateOf(changes: StoredItem, condition?: Condition, removed: readonly string[] = []) {
  const names = { ...condition?.ExpressionAttributeNames };
  const values = { ...condition?.ExpressionAttributeValues };
  const set: string[] = [];
  const remove: string[] = [];
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    const i = set.push(`#new${set.length} = :new${set.length}`) - 1;
    names[`#new${i}`] = name;
    values[`:new${i}`] = value;
  }
  for (const name of removed) {
    const i = remove.push(`#removed${remove.length}`) - 1;
    names[`#removed${i}`] = name;
  }
  const setClause = set.length > 0 ? `SET ${set.join(", ")}` : "";
  const removeClause = remove.length > 0 ? `REMOVE ${remove.join(", ")}` : "";
  return {
    ...condition,
    UpdateExpression: `${setClause} ${removeClause}`.trim(),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

export function definedFields(changes: StoredItem): StoredItem {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
