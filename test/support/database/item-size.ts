import type { DynamoDBClient, TransactWriteItemsCommandInput } from "@aws-sdk/client-dynamodb";
import { fromRawItem } from "../../../lib/dynamodb/attribute-values.ts";

/** The maximum size of one item (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). */
export const MAX_STORED_BYTES = 400 * 1024;

/** An item's bytes as DynamoDB counts them (developerguide/CapacityUnitCalculations.html), rounded up. */
export function itemSize(item: object): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) bytes += Buffer.byteLength(name) + valueBytes(value);
  }
  return bytes;
}

function valueBytes(value: unknown): number {
  switch (typeof value) {
    case "string":
      return Buffer.byteLength(value);
    case "number":
    case "bigint":
      return Math.ceil(String(value).replace(/[-.]/g, "").length / 2) + 2;
    case "object":
      if (value === null) return 1;
      if (value instanceof Uint8Array) return value.byteLength;
      if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + valueBytes(each), 3);
      return 3 + Object.keys(value).length + itemSize(value);
    default:
      return 1;
  }
}

/** Partition key → the sizes of the records' own items in bytes, as a client puts them. */
export function putSizes(client: DynamoDBClient): Map<string, number> {
  const sizes = new Map<string, number>();
  client.middlewareStack.add(
    (next) => (args) => {
      const { TransactItems = [] } = args.input as Partial<TransactWriteItemsCommandInput>;
      for (const { Put } of TransactItems) {
        const item = fromRawItem(Put?.Item ?? {});
        sizes.set(String(item.pk), itemSize(item));
      }
      return next(args);
    },
    { name: "sizes", step: "initialize", priority: "high" },
  );
  return sizes;
}
