import * as z from "zod";

interface Media {
  readonly types: readonly [string, ...string[]];
  readonly isBytes: boolean;
}

const declared = new WeakMap<z.ZodType, Media>();

/** What a body is sent as when its schema says nothing else. */
export const JSON_MEDIA_TYPE = "application/json";

/**
 * Declares that a body is text of a media type instead of JSON.
 *
 * @param type the value of `content-type`, for example `text/plain; charset=utf-8`
 * @param schema the text; take a schema of its own, since it is this very object that is marked
 * @returns the same schema
 */
export function inMediaType<S extends z.ZodType<string>>(type: string, schema: S): S {
  declared.set(schema, { types: [type], isBytes: false });
  return schema;
}

/**
 * Declares a body of bytes, which is sent as it is.
 *
 * @param types the values that `content-type` can have; the first one unless the answer's headers say another
 */
export function bytes(...types: readonly [string, ...string[]]): z.ZodType<Uint8Array, Uint8Array> {
  const schema = z.instanceof(Uint8Array);
  declared.set(schema, { types, isBytes: true });
  return schema;
}

/**
 * The media types that a declared body can have.
 *
 * @param schema of `answers`; undefined where a status is not declared
 */
export function mediaTypesOf(schema: z.ZodType | undefined): readonly [string, ...string[]] {
  return (schema && declared.get(schema)?.types) ?? [JSON_MEDIA_TYPE];
}

/**
 * The media type of a declared body, if its answer names no other.
 *
 * @param schema of `answers`; undefined where a status is not declared
 */
export function mediaTypeOf(schema: z.ZodType | undefined): string {
  return mediaTypesOf(schema)[0];
}

/**
 * Tells whether a declared body is bytes that nothing more is said of.
 *
 * @param schema of `answers`
 */
export function isBytes(schema: z.ZodType): boolean {
  return declared.get(schema)?.isBytes ?? false;
}
