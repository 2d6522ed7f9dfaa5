import * as z from "zod/mini";

interface IntegerBounds {
  /** Inclusive. */
  readonly min?: number;
  readonly max?: number;
}

/** A safe integer within bounds. */
export function integer({ min, max }: IntegerBounds) {
  return z
    .int()
    .check(...(min === undefined ? [] : [z.gte(min)]), ...(max === undefined ? [] : [z.lte(max)]));
}
