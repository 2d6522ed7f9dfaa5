import { createReadStream } from "node:fs";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** An item in DynamoDB's JSON, which keeps types and all digits of numbers. */
export type Item = Record<string, AttributeValue>;

/** A line such as `{"table":"TodosTable","Item":{"pk":{"S":"0"},…}}`. @param table its construct id */
export function toLine(table: string, item: Item): string {
  // Bytes become base64. `this` has them as they are: a Buffer converts itself before.
  const text = JSON.stringify({ table, Item: item }, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
  });
  return `${text}\n`;
}

/** What a line has. An attribute named "B" has an object, only the type has a text. */
export function fromLine(line: Buffer): { readonly table?: string; readonly Item: Item } {
  const decode = (text: string) => Buffer.from(text, "base64");
  return JSON.parse(line.toString(), (key, value) => {
    if (key === "B" && typeof value === "string") return decode(value);
    return key === "BS" && Array.isArray(value) ? value.map(decode) : value;
  });
}

/** `node:readline` would also end lines at U+2028 and U+2029, which JSON does not escape. */
export async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
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
