import * as z from "zod/mini";

export function integer({ min, max }: { readonly min?: number; readonly max?: number }) {
  return z
    .int()
    .check(...(min === undefined ? [] : [z.gte(min)]), ...(max === undefined ? [] : [z.lte(max)]));
}
