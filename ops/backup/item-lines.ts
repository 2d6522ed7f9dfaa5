import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import * as z from "zod";

/** An item in DynamoDB's JSON, which keeps types and all digits of numbers. */
export type Item = Record<string, AttributeValue>;

const Line = z.object({
  Item: z.object({ pk: z.object({ S: z.string() }) }).and(z.record(z.string(), z.unknown())),
});

/** The item as a line, in the format of DynamoDB's own exports to S3: `{"Item":{"pk":{"S":"0"},…}}`. */
export function toLine(item: Item): string {
  // Bytes become base64, as in DynamoDB's API. `this` has them as they are: a Buffer converts itself before.
  const text = JSON.stringify({ Item: item }, function (this: Record<string, unknown>, key, value) {
    const original = this[key];
    return original instanceof Uint8Array ? Buffer.from(original).toString("base64") : value;
  });
  return `${text}\n`;
}

/**
 * The item of a line.
 *
 * @returns undefined if the line has none
 */
export function fromLine(line: string): Item | undefined {
  try {
    const { success, data } = Line.safeParse(JSON.parse(line));
    if (!success) return undefined;
    return Object.fromEntries(
      Object.entries(data.Item).map(([name, value]) => [name, withBytes(value as AttributeValue)]),
    );
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The SDK expects bytes where DynamoDB's JSON has base64. */
function withBytes(value: AttributeValue): AttributeValue {
  const bytes = (text: unknown) => Buffer.from(String(text), "base64");
  if (value.B !== undefined) return { B: bytes(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(bytes) };
  if (value.L !== undefined) return { L: value.L.map(withBytes) };
  if (value.M !== undefined)
    return {
      M: Object.fromEntries(Object.entries(value.M).map(([name, member]) => [name, withBytes(member)])),
    };
  return value;
}
