import { describe, expect, it } from "vitest";
import type { JsonSchema, MediaType, Parameter } from "../../../infra/openapi/model.ts";
import { document } from "../../support/infra/openapi.ts";

type Found = readonly [place: string, schema: JsonSchema];

const { paths, components } = document;
const operations = Object.values(paths).flatMap((item) => Object.values(item));

const media = (place: string, content: Readonly<Record<string, MediaType>> = {}): Found[] =>
  Object.values(content).map(({ schema }) => [`${place}.`, schema]);

/** Every schema of the document with its place. Those that are components have a place without a dot. */
const roots: Found[] = [
  ...Object.entries(components.schemas),
  ...Object.entries(components.headers).map(([name, { schema }]): Found => [`${name}.`, schema]),
  ...Object.entries(components.responses).flatMap(([name, { content }]) => media(name, content)),
  ...operations.flatMap(({ operationId, parameters = [], requestBody, responses }) => [
    ...parameters.map(({ name, schema }): Found => [`${operationId}.${name}`, schema]),
    ...media(operationId, requestBody?.content),
    ...Object.values(responses).flatMap((each) => ("$ref" in each ? [] : media(operationId, each.content))),
  ]),
];

function withParts([place, schema]: Found): Found[] {
  const { properties = {}, items, additionalProperties, propertyNames, anyOf, oneOf, allOf } = schema;
  const parts = Object.entries({ items, propertyNames, additionalProperties, anyOf, oneOf, allOf }).flatMap(
    ([key, part]) => [part].flat().map((each) => [key, each] as const),
  );
  const found = [...Object.entries(properties), ...parts].flatMap(([name, part]): Found[] =>
    typeof part === "object" ? [[`${place}.${name}`, part]] : [],
  );
  return [[place, schema], ...found.flatMap(withParts)];
}

const isNullable = ({ anyOf = [] }: JsonSchema) => anyOf.length === 2 && anyOf[1]?.type === "null";

/** What some generator, validator or mock cannot read: what it is → whether a schema has it. */
const constructs: Readonly<Record<string, (schema: JsonSchema, place: string) => boolean>> = {
  "a pattern with Unicode properties": ({ pattern = "" }) => /\\p/i.test(pattern),
  "a pattern that looks around or back": ({ pattern = "" }) => /\(\?<?[=!]|\\[1-9k]/.test(pattern),
  // Some generators match from the start, or the whole text. Some take a slash at the end for a delimiter.
  "a pattern for a part of the text": ({ pattern = "^$" }) =>
    !(pattern.startsWith("^") && pattern.endsWith("$")),
  "several patterns": ({ allOf = [] }) => allOf.some(({ pattern }) => pattern !== undefined),
  "the type null alone": ({ type }, place) => type === "null" && !place.endsWith(".anyOf"),
  "a boolean constant": ({ const: value, enum: values = [] }) =>
    [value, ...values].some((each) => typeof each === "boolean"),
  "a list as default": ({ default: value }) => Array.isArray(value),
  "an object without a name": ({ properties }, place) => properties !== undefined && place.includes("."),
  "alternatives without a name": (schema, place) =>
    (schema.oneOf ?? schema.anyOf) !== undefined && !isNullable(schema) && place.includes("."),
  "a number without its size": ({ type, format }) => type === "number" && format !== "double",
  "a password that is not marked": ({ format, writeOnly }, place) =>
    place.endsWith(".password") && !(format === "password" && writeOnly),
};

describe("the document is portable", () => {
  it("because it has nothing that a tool cannot read", () => {
    const found = roots
      .flatMap(withParts)
      .flatMap(([place, schema]) =>
        Object.entries(constructs).flatMap(([name, has]) =>
          has(schema, place) ? [`${name}: ${place}`] : [],
        ),
      );
    expect(found).toEqual([]);
  });

  it("with parameters whose names differ in more than punctuation", () => {
    const repeated = operations.filter(({ parameters = [] }) => {
      const names = parameters.map(({ name }) => name.toLowerCase().replaceAll(/[-_]/g, ""));
      return new Set(names).size < names.length;
    });

    expect(repeated.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("with schemas whose names hide no global of JavaScript", () => {
    expect(Object.keys(components.schemas).filter((name) => name in globalThis)).toEqual([]);
  });

  it("with servers that need no variables", () => {
    expect(document.servers.flatMap((server) => Object.keys(server))).not.toContain("variables");
    expect(document.servers.filter(({ url }) => url.includes("{"))).toEqual([]);
  });

  it("with an example of each text that a tool cannot make up", () => {
    const explanations = ["$ref", "examples", "pattern", "default", "enum"] as const;
    const isExplained = ({ example, schema }: Parameter) =>
      [example, ...explanations.map((name) => schema[name])].some((each) => each !== undefined);
    const unexplained = operations.flatMap(({ operationId, requestBody, parameters = [] }) => {
      // A body is preferred to these parameters, and has an example.
      if (requestBody && parameters.some(({ name }) => name === "password")) return [];
      const texts = parameters.filter(({ schema }) => schema.type === "string");
      return texts.filter((each) => !isExplained(each)).map(({ name }) => `${operationId}.${name}`);
    });
    expect(unexplained).toEqual([]);
  });
});
