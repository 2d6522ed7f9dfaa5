import type { AttributeValue } from "@aws-sdk/client-dynamodb";

export type RawItem = Record<string, AttributeValue>;

type Values = Readonly<Record<string, unknown>>;

/** Converts DynamoDB's JSON to JavaScript values. Unsafe integers become BigInt. No table has sets or bytes. */
export function fromRawItem(item: RawItem): Values {
  const values: Record<string, unknown> = {};
  for (const name in item) values[name] = fromAttributeValue(item[name] as AttributeValue);
  return values;
}

function fromAttributeValue(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return fromNumber(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.L !== undefined) return value.L.map(fromAttributeValue);
  if (value.M !== undefined) return fromRawItem(value.M);
  if (value.NULL !== undefined) return null;
  return value;
}

function fromNumber(text: string): number | bigint {
  const number = Number(text);
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

/** Converts JavaScript values to DynamoDB's JSON, without undefined ones. @throws TypeError as `toAttributeValue` */
export function toRawItem(values: Values): RawItem {
  const item: RawItem = {};
  for (const name in values) if (values[name] !== undefined) item[name] = toAttributeValue(values[name]);
  return item;
}

/** @throws TypeError for what would not be read as it is: other objects, imprecise numbers, functions */
export function toAttributeValue(value: unknown): AttributeValue {
  if (typeof value === "string") return { S: value };
  if (typeof value === "boolean") return { BOOL: value };
  if (typeof value === "bigint" || (typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    return { N: String(value) };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((each) => each !== undefined).map(toAttributeValue) };
  if (typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value)))
    return { M: toRawItem(value as Values) };
  throw new TypeError(`Cannot store ${String(value)}`);
}

/** The input of a call, with JavaScript values for DynamoDB's JSON. It may have no names, or no values. */
export type Plain<Input> = {
  [K in keyof Input]: K extends "Key" | "Item" | "ExpressionAttributeValues" ? Values : Input[K];
};

export function toRawInput<Input>(input: Plain<Input>): Input {
  const raw: Record<string, unknown> = { ...input };
  for (const name of ["Key", "Item", "ExpressionAttributeValues"])
    if (raw[name]) raw[name] = toRawItem(raw[name] as Values);
  for (const name of ["ExpressionAttributeNames", "ExpressionAttributeValues"])
    if (Object.keys(raw[name] ?? {}).length === 0) raw[name] = undefined;
  return raw as Input;
}
