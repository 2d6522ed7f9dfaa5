import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { convert, type Direction, reference } from "./json-schema.ts";
import type { JsonSchema } from "./model.ts";

/** Collects the named schemas that a document refers to. */
export class Components {
  readonly #examples: Readonly<Record<string, unknown>>;
  readonly #schemas = new Map<string, JsonSchema>();

  /**
   * @param examples an example for every named object, by the schema's name
   */
  constructor(examples: Readonly<Record<string, unknown>>) {
    this.#examples = examples;
  }

  /** The schemas collected, in the order of their names. */
  schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /**
   * An example of a schema: of a name, of a list, or of the first of several shapes.
   *
   * @throws Error when there is none
   */
  example({ $ref, items, anyOf }: JsonSchema): unknown {
    const example = $ref && this.#examples[$ref.replace(/^.*\//, "")];
    if (example !== undefined) return example;
    if (items) return [this.example(items)];
    if (anyOf?.[0]) return this.example(anyOf[0]);
    throw new Error("A shape that has no name has no example");
  }

  /**
   * Takes in the names that a validator has or refers to.
   *
   * @returns the validator's schema: a reference if it has a name
   */
  of(validator: z.ZodType, direction: Direction): JsonSchema {
    const { schema, named } = convert(validator, direction);
    for (const [name, each] of Object.entries(named)) this.add(name, each);
    return schema;
  }

  /**
   * Takes in a named schema.
   *
   * @returns a reference to it
   * @throws Error when another schema has the name, or an object has no example
   */
  add(name: string, schema: JsonSchema): JsonSchema {
    const example = this.#examples[name];
    if (schema.type === "object" && example === undefined)
      throw new Error(`${name} has no example: give one in infra/openapi/examples.ts`);
    const complete = example === undefined ? schema : { ...schema, examples: [example] };
    const known = this.#schemas.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, complete))
      throw new Error(`${name} is not the same everywhere: what is sent and what is answered need two names`);
    this.#schemas.set(name, complete);
    return reference(name);
  }
}
