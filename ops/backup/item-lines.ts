import { createReadStream } from "node:fs";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** An item in DynamoDB's JSON, which keeps types and all digits of numbers. */
export type Item = Record<string, AttributeValue>;

/** The item as a line, in the format of DynamoDB's own exports to S3: `{"Item":{"pk":{"S":"0"},…}}`. */
export function toLine(item: Item): string {
  // Bytes become base64. `this` has them as they are: a Buffer converts itself before.
  const text = JSON.stringify({ Item: item }, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
  });
  return `${text}\n`;
}

/** The item of a line. An attribute named "B" has an object, only the type has a text. */
export function fromLine(line: Buffer): Item {
  const decode = (text: string) => Buffer.from(text, "base64");
  return JSON.parse(line.toString(), (key, value) => {
    if (key === "B" && typeof value === "string") return decode(value);
    return key === "BS" && Array.isArray(value) ? value.map(decode) : value;
  }).Item;
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
