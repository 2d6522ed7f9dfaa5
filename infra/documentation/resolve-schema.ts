import type { JsonSchema, OpenApiDocument } from "../openapi/model.ts";

/** Follows a reference; of alternatives the first, because the other is null. */
export function resolveSchema(document: OpenApiDocument, schema: JsonSchema = {}): JsonSchema {
  const { $ref, anyOf: [first] = [] } = schema;
  const target = $ref === undefined ? first : document.components.schemas[$ref.split("/").at(-1) ?? ""];
  return target === undefined ? schema : resolveSchema(document, target);
}
