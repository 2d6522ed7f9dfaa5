import * as z from "zod";
import type { JsonSchema } from "./model.ts";

/** Whether a schema is of what clients send, or of what they are sent. */
export type Direction = "input" | "output";

/** A schema, and the named schemas that it refers to. */
interface Converted {
  readonly schema: JsonSchema;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/** Formats that say all that their pattern says, which is long. */
const SPEAKING_FORMATS = ["date-time", "email"];

/**
 * Converts a validator with zod's own conversion, and tidies the result up for people: references go to the
 * document's components, and what may be null says so in its type. Answers stay open: a client must not break over a field that is added.
 *
 * @param validator of what is sent in the direction
 */
export function convert(validator: z.ZodType, direction: Direction): Converted {
  const { $defs = {}, ...schema } = z.toJSONSchema(validator, { io: direction }) as Raw;
  return {
    schema: tidy(schema, direction),
    named: mapValues($defs, (each) => tidy(each, direction)),
  };
}

/** A reference to a named schema. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

type Raw = JsonSchema & { readonly $schema?: string; readonly $defs?: Readonly<Record<string, Raw>> };

function tidy({ $schema: _, ...raw }: Raw, direction: Direction): JsonSchema {
  const again = (schema: JsonSchema) => tidy(schema, direction);
  return nullableType(
    wide({
      ...raw,
      ...(raw.$ref && { $ref: raw.$ref.replace("#/$defs/", "#/components/schemas/") }),
      ...(raw.items && { items: again(raw.items) }),
      ...(raw.properties && { properties: mapValues(raw.properties, again) }),
      ...(raw.anyOf && { anyOf: raw.anyOf.map(again) }),
      ...(typeof raw.additionalProperties === "object" && {
        additionalProperties: again(raw.additionalProperties),
      }),
      ...(raw.propertyNames && { propertyNames: again(raw.propertyNames) }),
      ...(raw.additionalProperties === false &&
        direction === "output" && { additionalProperties: undefined }),
      ...(raw.format && SPEAKING_FORMATS.includes(raw.format) && { pattern: undefined }),
      // The word is zod's own; the pattern beside it says the same.
      ...(raw.format === "includes" && { format: undefined }),
    }),
  );
}

/** Greater integers than 32 bits hold: generators that have two kinds of them take the greater one then. */
function wide(schema: Draft): Draft {
  if (schema.type !== "integer") return schema;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const fits = minimum >= -(2 ** 31) && maximum < 2 ** 31;
  return fits ? schema : { ...schema, format: "int64" };
}

/** One type or null, instead of two alternatives. */
function nullableType(schema: Draft): JsonSchema {
  const [some, none, ...others] = schema.anyOf ?? [];
  const { anyOf: _, ...rest } = schema;
  const isSimple = typeof some?.type === "string" && some.enum === undefined && others.length === 0;
  const simple = isSimple && none?.type === "null" ? { ...rest, ...some, type: [some.type, "null"] } : schema;
  return Object.fromEntries(Object.entries(simple).filter(([, value]) => value !== undefined));
}

type Draft = { readonly [K in keyof JsonSchema]?: JsonSchema[K] | undefined };

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
