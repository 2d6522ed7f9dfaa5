import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import type { AttributeValue, TableDescription } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { CommandError } from "../../cli/errors.ts";

/** An item in DynamoDB's JSON, which keeps types and all digits of numbers. */
export type Item = Record<string, AttributeValue>;

/** A line without an item, or with one that DynamoDB would refuse. The message says why, without a subject. */
export class InvalidLine extends CommandError {}

/** DynamoDB's limits (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). */
const MAX_ITEM_BYTES = 400 * 1024;
const MAX_NESTING = 32;
/** More than the JSON of any item has. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const Attributes = z.record(z.string(), z.unknown());
const Line = z.object({ Item: Attributes });

/** Converts the content of an attribute's value to the SDK's; undefined for one that DynamoDB would refuse. */
type Convert = (content: unknown, nesting: number) => unknown;

const text: Convert = (it) => (typeof it === "string" ? it : undefined);
const number: Convert = (it) =>
  typeof it === "string" && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(it) ? it : undefined;
// The SDK expects bytes where DynamoDB's JSON has base64.
const bytes: Convert = (it) =>
  z.base64().safeParse(it).success ? Buffer.from(String(it), "base64") : undefined;
const listOf =
  (member: Convert): Convert =>
  (it, nesting) => {
    const members = Array.isArray(it) ? it.map((each) => member(each, nesting)) : [undefined];
    return members.includes(undefined) ? undefined : members;
  };
const setOf =
  (member: Convert): Convert =>
  (it) =>
    Array.isArray(it) && it.length > 0 && new Set(it).size === it.length ? listOf(member)(it, 0) : undefined;

const types = new Map<string, Convert>([
  ["S", text],
  ["N", number],
  ["B", bytes],
  ["SS", setOf(text)],
  ["NS", setOf(number)],
  ["BS", setOf(bytes)],
  ["BOOL", (it) => (typeof it === "boolean" ? it : undefined)],
  ["NULL", (it) => (it === true ? it : undefined)],
  ["L", listOf(toValue)],
  ["M", (it, nesting) => (Attributes.safeParse(it).success ? toItem(it as object, nesting) : undefined)],
]);

/** The item as a line, in the format of DynamoDB's own exports to S3: `{"Item":{"pk":{"S":"0"},…}}`. */
export function toLine(item: Item): string {
  // Bytes become base64, as in DynamoDB's API. `this` has them as they are: a Buffer converts itself before.
  const text = JSON.stringify({ Item: item }, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
  });
  return `${text}\n`;
}

/** The lines of a file. `node:readline` would also end them at U+2028 and U+2029, which JSON does not escape. */
export async function* linesOf(file: string, start: number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(file, { start }) as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]);
      parts = [];
      rest = rest.subarray(end + 1);
    }
    parts.push(rest);
  }
  const last = Buffer.concat(parts);
  if (last.length > 0) yield last;
}

/**
 * The item of a line.
 *
 * @param table its keys, and those of its indexes, must have their types
 * @throws {InvalidLine}
 */
export function fromLine(line: Buffer, table: TableDescription): Item {
  const { success, data } = Line.safeParse(parse(line));
  if (!success) throw new InvalidLine('is not {"Item":{…}}');
  const item = toItem(data.Item, 0);
  if (sizeOf(data.Item) > MAX_ITEM_BYTES) throw new InvalidLine("has an item of more than 400 KB");
  for (const { AttributeName: name = "", AttributeType: type = "" } of table.AttributeDefinitions ?? []) {
    const isKey = table.KeySchema?.some(({ AttributeName }) => AttributeName === name);
    const content = (item[name] as Readonly<Record<string, string | Buffer>> | undefined)?.[type];
    if ((isKey || item[name]) && !content?.length)
      throw new InvalidLine(`needs ${name} with the type ${type} and a value`);
  }
  return item;
}

/** @returns undefined for what is not JSON */
function parse(line: Buffer): unknown {
  if (line.length > MAX_LINE_BYTES) throw new InvalidLine("is longer than 16 MB");
  try {
    return isUtf8(line) ? JSON.parse(line.toString()) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** At most the size that DynamoDB counts, in bytes: without names, and a byte for two characters of a number. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  const members = Object.entries(value ?? {});
  return members.reduce((sum, [name, each]) => sum + sizeOf(each) / (/^[NB]/.test(name) ? 2 : 1), 0);
}

function toItem(attributes: object, nesting: number): Item {
  const entries = Object.entries(attributes).map(([name, value]) => {
    const converted = name && toValue(value, nesting);
    if (!converted) throw new InvalidLine(`has no name or no valid value of the attribute "${name}"`);
    return [name, converted] as const;
  });
  return Object.fromEntries(entries);
}

/** @returns the SDK's value; undefined for one that DynamoDB would refuse */
function toValue(value: unknown, nesting: number): AttributeValue | undefined {
  if (nesting >= MAX_NESTING) throw new InvalidLine(`has more than ${MAX_NESTING} levels of lists and maps`);
  const [[type, content] = [""], ...others] = Object.entries(value ?? {});
  const converted = others.length === 0 ? types.get(type)?.(content, nesting + 1) : undefined;
  return converted === undefined ? undefined : ({ [type]: converted } as unknown as AttributeValue);
}
