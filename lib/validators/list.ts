import * as z from "zod";

interface ListBounds {
  readonly min?: number;
  readonly max: number;
}

/**
 * A list in a body. Its length is checked before its entries, so that a body of megabytes cannot fail in a
 * million places.
 *
 * @param entry what each entry has to be
 * @param bounds inclusive limits of its length
 */
export function boundedArray<S extends z.ZodType>(entry: S, { min = 0, max }: ListBounds) {
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value;
    context.issues.push({ code: "too_big", origin: "array", maximum: max, inclusive: true, input: value });
    return z.NEVER;
  }, z.array(entry).min(min).max(max));
}
