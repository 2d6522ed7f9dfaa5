import * as z from "zod/mini";

/** Changes a value before a schema checks it. The function can report issues as well. */
export function preprocess<S extends z.ZodMiniType>(
  change: (value: unknown, context: z.core.ParsePayload) => unknown,
  schema: S,
) {
  return z.pipe(z.transform(change), schema);
}

/** An optional field of an update: absent or null keeps the current value. */
function nullishToUndefined<S extends z.ZodMiniType>(schema: S) {
  return z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  );
}

/** The fields of an update. */
export function allNullishToUndefined<const S extends Readonly<Record<string, z.ZodMiniType>>>(fields: S) {
  const optional = Object.entries(fields).map(([name, schema]) => [name, nullishToUndefined(schema)]);
  return Object.fromEntries(optional) as { [K in keyof S]: ReturnType<typeof nullishToUndefined<S[K]>> };
}

/** Checks the length before the elements, so that a large body cannot fail in a million places. */
export function boundedArray<S extends z.ZodMiniType>(
  element: S,
  { min = 0, max }: { readonly min?: number; readonly max: number },
) {
  return preprocess(
    (value, context) => {
      if (!Array.isArray(value) || value.length <= max) return value;
      context.issues.push({ code: "too_big", origin: "array", maximum: max, inclusive: true, input: value });
      return z.NEVER;
    },
    z.array(element).check(z.minLength(min), z.maxLength(max)),
  );
}
