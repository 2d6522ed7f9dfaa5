import { isDeepStrictEqual } from "node:util";
import type * as z from "zod/mini";
import type { AreaDefinition } from "../../functions/define-area.ts";
import { definitions } from "../../functions/definitions.ts";
import { type Direction, reference, referencedName, toJsonSchema } from "./json-schema.ts";
import type { JsonSchema } from "./model.ts";

/** Descriptions of fields that are no area's own. */
const sharedFields: Fields = {
  created_at: "UTC, with milliseconds",
  id: "Assigned by the service, never reused",
  items: "The records of this page",
  name: "The name, for people",
  page: "The page number",
  size: "The number of records on a full page",
  total: "The number of records on all pages",
  updated_at: "UTC, with milliseconds; equal to `created_at` until the first change",
};

export class Components {
  readonly #fields: Fields;
  readonly schemas: Map<string, JsonSchema>;

  constructor(fields: Fields = {}, schemas = new Map<string, JsonSchema>()) {
    this.#fields = fields;
    this.schemas = schemas;
  }

  /** Collects into the same schemas, with an area's descriptions for schemas without a name. */
  of(area: AreaDefinition | undefined): Components {
    return new Components(area?.fields, this.schemas);
  }

  /** @throws Error unless the schema has an example, or a named one in it */
  example({ $ref, items, anyOf, examples }: JsonSchema): unknown {
    const example = ($ref ? this.schemas.get(referencedName($ref))?.examples : examples)?.[0];
    if (example !== undefined) return example;
    if (items) return [this.example(items)];
    if (anyOf?.[0]) return this.example(anyOf[0]);
    throw new Error("Only named schemas have examples: name this one with named()");
  }

  addValidator(validator: z.ZodMiniType, direction: Direction): JsonSchema {
    const { schema, definitions } = toJsonSchema(validator, direction);
    for (const [name, definition] of Object.entries(definitions)) this.add(name, definition);
    return withDescriptions(schema, "", this.#fields);
  }

  /** @throws Error when another schema has the name, an object has no example, or a field no description */
  add(name: string, schema: JsonSchema): JsonSchema {
    // An area owns the schemas of which it has an example.
    const owner = Object.values(definitions).find(({ examples = {} }) => name in examples);
    const example = owner?.examples?.[name];
    const examples = example === undefined ? schema.examples : [example];
    if (schema.type === "object" && examples === undefined)
      throw new Error(`${name} has no example: add one to the examples of its area.ts`);
    const described = withDescriptions(schema, name, owner?.fields ?? this.#fields);
    const complete = { ...described, ...(examples && { examples }) };
    const known = this.schemas.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, complete))
      throw new Error(`Two schemas are named ${name}: request and response need different names`);
    this.schemas.set(name, complete);
    return reference(name);
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
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, property]) => {
          const description =
            property.description ?? fields[`${name}.${field}`] ?? fields[field] ?? sharedFields[field];
          if (description === undefined)
            throw new Error(`${name}.${field} has no description: add one to the fields of its area.ts`);
          return [field, { ...inDepth(property), description }];
        }),
      ),
    }),
  };
}
