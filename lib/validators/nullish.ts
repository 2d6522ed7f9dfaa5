import * as z from "zod/mini";

/** An optional field of an update: absent or null keeps the current value. */
export function nullishToUndefined<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  );
}
