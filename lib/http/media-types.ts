import * as z from "zod/mini";

interface Media {
  readonly types: readonly [string, ...string[]];
  readonly isBytes: boolean;
}

const declared = new WeakMap<z.ZodMiniType, Media>();

/** The media type of a body whose schema declares no other. */
export const JSON_MEDIA_TYPE = "application/json";

/**
 * Declares a body as text of a media type instead of JSON.
 *
 * @param type the value of `content-type`, for example `text/plain; charset=utf-8`
 * @param schema marked and returned, so it must not be shared with other declarations
 */
export function inMediaType<S extends z.ZodMiniType<string>>(type: string, schema: S): S {
  declared.set(schema, { types: [type], isBytes: false });
  return schema;
}

/**
 * Declares a body of bytes.
 *
 * @param types the possible values of `content-type`; the first by default
 */
export function bytes(...types: readonly [string, ...string[]]): z.ZodMiniType<Uint8Array, Uint8Array> {
  const schema = z.instanceof(Uint8Array);
  declared.set(schema, { types, isBytes: true });
  return schema;
}

/** The possible media types of a declared body. */
export function mediaTypesOf(schema: z.ZodMiniType | undefined): readonly [string, ...string[]] {
  return (schema && declared.get(schema)?.types) ?? [JSON_MEDIA_TYPE];
}

/** The default media type of a declared body. */
export function mediaTypeOf(schema: z.ZodMiniType | undefined): string {
  return mediaTypesOf(schema)[0];
}

/** Whether a body is declared as bytes. */
export function isBytes(schema: z.ZodMiniType): boolean {
  return declared.get(schema)?.isBytes ?? false;
}
