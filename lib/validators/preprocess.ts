import * as z from "zod/mini";

/** Changes a value before a schema checks it. The function can report issues as well. */
export function preprocess<S extends z.ZodMiniType>(
  change: (value: unknown, context: z.core.ParsePayload) => unknown,
  schema: S,
) {
  return z.pipe(z.transform(change), schema);
}
