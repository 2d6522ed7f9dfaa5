import { isDeepStrictEqual } from "node:util";
import type * as z from "zod/mini";
import { descriptions } from "./descriptions.ts";
import { type Direction, mapValues, reference, toJsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./model.ts";

/** Collects the named schemas that a document refers to. */
export class Components {
  readonly #examples: Readonly<Record<string, unknown>>;
  readonly #schemas = new Map<string, JsonSchema>();

  /** @param examples an example of every named object, by the schema's name */
  constructor(examples: Readonly<Record<string, unknown>>) {
    this.#examples = examples;
  }

  /** The collected schemas, sorted by name. */
  schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * An example of a named schema, a list of one, or the first of several alternatives.
   *
   * @throws Error when there is none
   */
  example({ $ref, items, anyOf }: JsonSchema): unknown {
    const example = $ref && this.#examples[$ref.replace(/^.*\//, "")];
    if (example !== undefined) return example;
    if (items) return [this.example(items)];
    if (anyOf?.[0]) return this.example(anyOf[0]);
    throw new Error("Only named schemas have examples: name this one with named()");
  }

  /**
   * Converts a validator and adds the named schemas that it refers to.
   *
   * @returns its schema; a reference if it has a name
   */
  addValidator(validator: z.ZodMiniType, direction: Direction): JsonSchema {
    const { schema, definitions } = toJsonSchema(validator, direction);
    for (const [name, definition] of Object.entries(definitions)) this.add(name, definition);
    return withDescriptions(schema);
  }

  /**
   * Adds a named schema.
   *
   * @returns a reference to it
   * @throws Error when another schema has the name, an object has no example, or a field no description
   */
  add(name: string, schema: JsonSchema): JsonSchema {
    const example = this.#examples[name];
    if (schema.type === "object" && example === undefined)
      throw new Error(`${name} has no example: add one to infra/openapi/examples.ts`);
    const described = withDescriptions(schema, name);
    const complete = example === undefined ? described : { ...described, examples: [example] };
    const known = this.#schemas.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, complete))
      throw new Error(`Two schemas are named ${name}: request and response need different names`);
    this.#schemas.set(name, complete);
    return reference(name);
  }
}

/** Describes the fields of a schema, at any depth, that have no description of their own. */
function withDescriptions(schema: JsonSchema, name = ""): JsonSchema {
  const inDepth = (part: JsonSchema) => withDescriptions(part, name);
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: inDepth(items) }),
    ...(anyOf && { anyOf: anyOf.map(inDepth) }),
    ...(properties && {
      properties: mapValues(properties, (property, field) => {
        const description = property.description ?? descriptions[`${name}.${field}`] ?? descriptions[field];
        if (description === undefined)
          throw new Error(`${name}.${field} has no description: add one to infra/openapi/descriptions.ts`);
        return { ...inDepth(property), description };
      }),
    }),
  };
}
