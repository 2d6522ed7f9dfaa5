import type * as z from "zod";

/** An optional field of an update: absent or null keeps the current value. */
export function nullishToUndefined<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}
