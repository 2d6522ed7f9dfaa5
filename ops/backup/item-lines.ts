import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import type { AttributeValue, TableDescription } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { CommandError } from "../../cli/errors.ts";

/** An item in DynamoDB's JSON, which keeps types and all digits of numbers. */
export type Item = Record<string, AttributeValue>;

/** A line that is no item, or one that DynamoDB would refuse. The message says why, without a subject. */
export class InvalidLine extends CommandError {}

/** DynamoDB's limits (developer guide, "Quotas in Amazon DynamoDB"). */
const MAX_ITEM_BYTES = 400 * 1024;
const MAX_NESTING = 32;
/** More than the JSON of any item has. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const number = z.string().regex(/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i);
// The SDK expects bytes where DynamoDB's JSON has base64.
const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const setOf = <T extends z.ZodType<unknown, string>>(member: T) =>
  z
    .array(z.string())
    .refine((members) => members.length > 0 && new Set(members).size === members.length)
    .pipe(z.array(member));

const Attributes = z.record(
  z.string().min(1),
  z.lazy(() => Value),
);
const Value: z.ZodType = z
  .strictObject({
    S: z.string(),
    N: number,
    B: bytes,
    SS: setOf(z.string()),
    NS: setOf(number),
    BS: setOf(bytes),
    BOOL: z.boolean(),
    NULL: z.literal(true),
    L: z.array(z.lazy(() => Value)),
    M: Attributes,
  })
  .partial()
  .refine((value) => Object.keys(value).length === 1);
const Line = z.object({ Item: Attributes });

/** The item as a line, in the format of DynamoDB's own exports to S3: `{"Item":{"pk":{"S":"0"},…}}`. */
export function toLine(item: Item): string {
  // Bytes become base64. `this` has them as they are: a Buffer converts itself before.
  const text = JSON.stringify({ Item: item }, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
  });
  return `${text}\n`;
}

/** `node:readline` would also end lines at U+2028 and U+2029, which JSON does not escape. */
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

/** @throws {InvalidLine} also if a key of the table or of an index has another type */
export function fromLine(line: Buffer, table: TableDescription): Item {
  const content = parse(line);
  // Each level is an object in an object or an array. The line and the item are two more.
  if (isDeeper(content, 2 * MAX_NESTING + 2))
    throw new InvalidLine(`has more than ${MAX_NESTING} levels of lists and maps`);
  const { data, error } = Line.safeParse(content);
  const [, attribute] = error?.issues[0]?.path ?? [];
  if (attribute !== undefined)
    throw new InvalidLine(`has no name or no valid value of the attribute "${String(attribute)}"`);
  if (data === undefined) throw new InvalidLine('is not {"Item":{…}}');
  const item = data.Item as Item;
  if (sizeOf((content as typeof data).Item) > MAX_ITEM_BYTES)
    throw new InvalidLine("has an item of more than 400 KB");
  for (const { AttributeName: name = "", AttributeType: type = "" } of table.AttributeDefinitions ?? []) {
    const isKey = table.KeySchema?.some(({ AttributeName }) => AttributeName === name);
    const value = (item[name] as Readonly<Record<string, string | Buffer>> | undefined)?.[type];
    if ((isKey || item[name]) && !value?.length)
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

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** At most DynamoDB's size, in bytes: without names, and a byte for two characters of a number. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  const members = Object.entries(value ?? {});
  return members.reduce((sum, [name, each]) => sum + sizeOf(each) / (/^[NB]/.test(name) ? 2 : 1), 0);
}
