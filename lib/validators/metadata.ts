import * as z from "zod/mini";

/** Names a schema: the OpenAPI document has it as a component, which other schemas refer to. */
export function named<S extends z.ZodMiniType>(id: string, schema: S): S {
  return withMetadata(schema, { id });
}

export function namedObject<const S extends z.core.$ZodLooseShape>(id: string, shape: S) {
  return named(id, z.object(shape));
}

/** Adds to a schema what the OpenAPI document says of it: its description, or keywords of JSON Schema. */
export function withMetadata<S extends z.ZodMiniType>(schema: S, metadata: z.core.GlobalMeta): S {
  z.globalRegistry.add(schema, metadata);
  return schema;
}
