import { isDeepStrictEqual } from "node:util";
import type * as z from "zod/mini";
import type { AreaDefinition } from "../../functions/define-area.ts";
import { type Direction, mapValues, reference, toJsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./model.ts";
import { shared } from "./shared-schemas.ts";

/** Collects the named schemas that a document refers to. */
export class Components {
  readonly #areas: readonly AreaDefinition[];
  readonly #fields: Fields;
  readonly #schemas: Map<string, JsonSchema>;

  /**
   * @param areas an area owns the schemas of which it has an example
   * @param fields descriptions of the fields of schemas without a name
   * @param schemas the map in which schemas are collected
   */
  constructor(
    areas: readonly AreaDefinition[],
    fields: Fields = {},
    schemas = new Map<string, JsonSchema>(),
  ) {
    this.#areas = areas;
    this.#fields = fields;
    this.#schemas = schemas;
  }

  /** Collects into the same schemas, with an area's descriptions for schemas without a name. */
  of({ fields }: AreaDefinition): Components {
    return new Components(this.#areas, fields, this.#schemas);
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
    const example = $ref && this.#exampleOf($ref.replace(/^.*\//, ""));
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
    return withDescriptions(schema, "", this.#fields);
  }

  /**
   * Adds a named schema.
   *
   * @returns a reference to it
   * @throws Error when another schema has the name, an object has no example, or a field no description
   */
  add(name: string, schema: JsonSchema): JsonSchema {
    const example = this.#exampleOf(name);
    if (schema.type === "object" && example === undefined)
      throw new Error(`${name} has no example: add one to the examples of its area.ts`);
    const described = withDescriptions(schema, name, this.#fieldsOf(name));
    const complete = example === undefined ? described : { ...described, examples: [example] };
    const known = this.#schemas.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, complete))
      throw new Error(`Two schemas are named ${name}: request and response need different names`);
    this.#schemas.set(name, complete);
    return reference(name);
  }

  #ownerOf(name: string): AreaDefinition | undefined {
    return this.#areas.find(({ examples = {} }) => name in examples);
  }

  #fieldsOf(name: string): Fields {
    const isShared = name in shared.examples;
    return isShared ? {} : (this.#ownerOf(name)?.fields ?? this.#fields);
  }

  #exampleOf(name: string): unknown {
    return this.#ownerOf(name)?.examples?.[name] ?? shared.examples[name];
  }
}

type Fields = NonNullable<AreaDefinition["fields"]>;

/** Describes the fields of a schema, at any depth, that have no description of their own. */
function withDescriptions(schema: JsonSchema, name: string, fields: Fields): JsonSchema {
  const inDepth = (part: JsonSchema) => withDescriptions(part, name, fields);
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(items && { items: inDepth(items) }),
    ...(anyOf && { anyOf: anyOf.map(inDepth) }),
    ...(properties && {
      properties: mapValues(properties, (property, field) => {
        const description = property.description ?? descriptionOf(name, field, fields);
        if (description === undefined)
          throw new Error(`${name}.${field} has no description: add one to the fields of its area.ts`);
        return { ...inDepth(property), description };
      }),
    }),
  };
}

function descriptionOf(schema: string, field: string, fields: Fields): string | undefined {
  const ownName = `${schema}.${field}`;
  return fields[ownName] ?? fields[field] ?? shared.fields[ownName] ?? shared.fields[field];
}
