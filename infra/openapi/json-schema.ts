import * as z from "zod/mini";
import type { Route } from "../../lib/http/route.ts";
import type { JsonSchema } from "./model.ts";

export type Direction = "input" | "output";

/**
 * Converts a validator with zod's own conversion, and adapts the result: references point to the document's
 * components, and nullable types are type lists. Response objects allow additional fields, so that adding one
 * does not break clients.
 *
 * @returns the schema, and the named ones that it refers to
 */
export function toJsonSchema(validator: z.ZodMiniType, direction: Direction) {
  const converted = z.toJSONSchema(validator, {
    io: direction,
    override({ zodSchema, jsonSchema }) {
      // zod drops the examples of what it transforms.
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (Array.isArray(examples)) jsonSchema.examples = examples;
      adapt(jsonSchema as Draft, direction);
    },
  });
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs = {}, ...schema } = JSON.parse(text);
  return { schema: schema as JsonSchema, definitions: $defs as Readonly<Record<string, JsonSchema>> };
}

export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of the schema of an operation's request or result that has none of its own. */
export function schemaNameOf({ operationId }: Route, suffix: "Request" | "Result"): string {
  return `${operationId.replace(/^./, (first) => first.toUpperCase())}${suffix}`;
}

export function referencedName($ref: string): string {
  return $ref.replace(/^.*\//, "");
}

type Draft = { -readonly [K in keyof JsonSchema]: JsonSchema[K] };

/** Changes a schema in place. zod adapts inner schemas before outer ones. */
function adapt(schema: Draft, direction: Direction): void {
  const { anyOf: [first, second, ...others] = [] } = schema;
  // zod knows nothing of properties that only stand in metadata.
  for (const property of Object.values(schema.properties ?? {})) adapt(property, direction);
  // The pattern is long, and the format says the same.
  if (schema.format === "date-time") delete schema.pattern;
  // Not every generator can write an array as a default. The description says it.
  if (Array.isArray(schema.default)) delete schema.default;
  // Several patterns, of which generators keep none or one. The description says it.
  if (schema.allOf?.every(({ pattern }) => pattern)) delete schema.allOf;
  if (schema.additionalProperties === false && direction === "output") delete schema.additionalProperties;
  if (schema.type === "number") schema.format = "double";
  if (schema.type === "integer" && needs64Bits(schema)) schema.format = "int64";
  // "This type or null" as two alternatives becomes a list of types.
  if (typeof first?.type === "string" && !first.enum && second?.type === "null" && others.length === 0) {
    delete schema.anyOf;
    Object.assign(schema, first, { type: [first.type, "null"] });
  }
}

function needs64Bits({ minimum = -Infinity, maximum = Infinity }: Draft): boolean {
  return minimum < -(2 ** 31) || maximum >= 2 ** 31;
}
