import * as z from "zod/mini";

/** Changes a value before a schema checks it. The function can report issues as well. */
export function preprocess<S extends z.ZodMiniType>(
  change: (value: unknown, context: z.core.ParsePayload) => unknown,
  schema: S,
) {
  return z.pipe(z.transform(change), schema);
}

/** An optional field of an update: absent or null keeps the current value. */
export function nullishToUndefined<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  );
}
