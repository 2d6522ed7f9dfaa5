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
  // Readers of lines end them at these characters, too.
  return `${text.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`;
}

/** What a line has. An attribute named "B" has an object, only the type has a text. */
export function fromLine(line: string): { readonly table?: string; readonly Item: Item } {
  const decode = (text: string) => Buffer.from(text, "base64");
  return JSON.parse(line, (key, value) => {
    if (key === "B" && typeof value === "string") return decode(value);
    return key === "BS" && Array.isArray(value) ? value.map(decode) : value;
  });
}
