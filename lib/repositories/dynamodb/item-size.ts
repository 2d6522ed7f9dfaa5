import { type ApiError, validationError } from "../../domain/errors.ts";

/** The maximum size of one item (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html). */
export const MAX_ITEM_BYTES = 400 * 1024;

/**
 * The size of an item as DynamoDB counts it, rounded up where the documentation gives a range
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
 *
 * @param item its attributes as JavaScript values; undefined is not stored
 * @returns bytes
 */
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

/**
 * Checks that an item is not larger than DynamoDB allows.
 *
 * @param field what the client can shorten
 * @throws ApiError `ValidationError`
 */
export function assertItemSize(item: object, field = "body"): void {
  const excess = itemSize(item) - MAX_ITEM_BYTES;
  if (excess <= 0) return;
  const bytes = excess === 1 ? "1 byte" : `${excess} bytes`;
  throw itemTooLarge(`Must be at least ${bytes} shorter in UTF-8: a record can have 400 KB`, field);
}

/** The error for a record that DynamoDB cannot store. */
export function itemTooLarge(
  message = "The record must not be larger than 400 KB",
  field = "body",
): ApiError {
  return validationError([{ field, message, type: "too_big" }]);
}
