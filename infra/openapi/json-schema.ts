import * as z from "zod/mini";
import type { Route } from "../../lib/http/route.ts";
import type { JsonSchema } from "./model.ts";

/** Whether a schema describes requests or responses. */
export type Direction = "input" | "output";

interface Converted {
  readonly schema: JsonSchema;
  /** The named schemas that it refers to. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/** A format that makes the pattern, which is long, redundant. */
const FORMAT_WITHOUT_PATTERN = "date-time";

/**
 * Converts a validator with zod's own conversion, and adapts the result: references point to the document's
 * components, and nullable types are type lists. Response objects allow additional fields, so that adding one does not
 * break clients.
 */
export function toJsonSchema(validator: z.ZodMiniType, direction: Direction): Converted {
  const { $defs = {}, ...schema } = z.toJSONSchema(validator, {
    io: direction,
    // zod drops the examples of what it transforms.
    override({ zodSchema, jsonSchema }) {
      const { examples } = z.globalRegistry.get(zodSchema) ?? {};
      if (Array.isArray(examples)) jsonSchema.examples = examples;
    },
  }) as ZodJsonSchema;
  return {
    schema: adapt(schema, direction),
    definitions: mapValues($defs, (definition) => adapt(definition, direction)),
  };
}

/** A reference to a named schema. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of the schema of an operation's request or result that has none of its own. */
export function schemaNameOf({ operationId }: Route, suffix: "Request" | "Result"): string {
  return `${operationId.replace(/^./, (first) => first.toUpperCase())}${suffix}`;
}

/** The name of the component that a reference leads to. */
export function referencedName($ref: string): string {
  return $ref.replace(/^.*\//, "");
}

type ZodJsonSchema = JsonSchema & {
  readonly $schema?: string;
  readonly $defs?: Readonly<Record<string, ZodJsonSchema>>;
};

function adapt({ $schema: _, ...raw }: ZodJsonSchema, direction: Direction): JsonSchema {
  const adaptChild = (schema: JsonSchema) => adapt(schema, direction);
  return withNullableType(
    withNumberFormat({
      ...raw,
      ...(raw.$ref && { $ref: raw.$ref.replace("#/$defs/", "#/components/schemas/") }),
      ...(raw.items && { items: adaptChild(raw.items) }),
      ...(raw.properties && { properties: mapValues(raw.properties, adaptChild) }),
      ...(raw.anyOf && { anyOf: raw.anyOf.map(adaptChild) }),
      ...(typeof raw.additionalProperties === "object" && {
        additionalProperties: adaptChild(raw.additionalProperties),
      }),
      ...(raw.propertyNames && { propertyNames: adaptChild(raw.propertyNames) }),
      ...(raw.additionalProperties === false &&
        direction === "output" && { additionalProperties: undefined }),
      ...(raw.format === FORMAT_WITHOUT_PATTERN && { pattern: undefined }),
      // Not every generator can write an array as a default. The description says it.
      ...(Array.isArray(raw.default) && { default: undefined }),
      // Several patterns, of which generators keep none or one. The description says it.
      ...(raw.allOf?.every(({ pattern }) => pattern) && { allOf: undefined }),
    }),
  );
}

/** Marks numbers that 32 bits cannot hold, for code generators that distinguish two types of them. */
function withNumberFormat(schema: Draft): Draft {
  if (schema.type === "number") return { ...schema, format: "double" };
  if (schema.type !== "integer") return schema;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const is32Bit = minimum >= -(2 ** 31) && maximum < 2 ** 31;
  return is32Bit ? schema : { ...schema, format: "int64" };
}

/** Replaces "this type or null" as two alternatives by a list of types. */
function withNullableType(schema: Draft): JsonSchema {
  const [first, second, ...others] = schema.anyOf ?? [];
  const { anyOf: _, ...rest } = schema;
  const isSimple = typeof first?.type === "string" && first.enum === undefined && others.length === 0;
  const adapted =
    isSimple && second?.type === "null" ? { ...rest, ...first, type: [first.type, "null"] } : schema;
  return Object.fromEntries(Object.entries(adapted).filter(([, value]) => value !== undefined));
}

type Draft = { readonly [K in keyof JsonSchema]?: JsonSchema[K] | undefined };

export function mapValues<T, U>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
