import type { JsonSchema, MediaType, OpenApiDocument, Reference } from "../openapi/model.ts";

/** The name of the component that a reference leads to. */
export function referencedName({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** The examples of a body, or those of its schema. */
export function examplesOf(media: MediaType, document: OpenApiDocument): readonly unknown[] {
  if (media.example !== undefined) return [media.example];
  if (media.examples !== undefined) return Object.values(media.examples).map(({ value }) => value);
  const example = schemaExample(media.schema, document);
  return example === undefined ? [] : [example];
}

function schemaExample(schema: JsonSchema, document: OpenApiDocument): unknown {
  const { $ref, examples, type, items } = schema;
  if ($ref !== undefined) {
    const named = document.components.schemas[referencedName({ $ref })];
    return named && schemaExample(named, document);
  }
  if (examples !== undefined) return examples[0];
  if (type !== "array" || items === undefined) return undefined;
  const example = schemaExample(items, document);
  return example === undefined ? undefined : [example];
}
