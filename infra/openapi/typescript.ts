import type {
  Content,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
} from "./model.ts";

/** openapi-fetch asks each path for all of them. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * The types of a document for openapi-fetch: `paths`, in the form that openapi-typescript gives them, and the named
 * schemas. (openapi-typescript itself needs the programming interface of TypeScript 5.)
 *
 * @returns the text of a declaration file
 * @throws Error when the document uses something that this does not know
 */
export function typescriptOf(document: OpenApiDocument): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}${name}: ${typeOf(schema)};`,
  );
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = METHODS.map((method) => {
      const operation = item[method];
      return operation ? operationOf(method, operation, document) : `${method}?: never;`;
    });
    return `${JSON.stringify(path)}: ${block(["parameters: {};", ...methods])};`;
  });
  return [
    "// Generated from docs/openapi.json: npm test -- -u",
    `export interface Schemas ${block(schemas)}`,
    `export interface paths ${block(paths)}`,
    "",
  ].join("\n\n");
}

function operationOf(method: string, operation: Operation, document: OpenApiDocument): string {
  const { operationId, summary, requestBody } = operation;
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => `${status}: ${responseOf(response, document)};`,
  );
  const parts = [
    parametersOf(operation.parameters ?? []),
    requestBody
      ? `requestBody${requestBody.required ? "" : "?"}: ${contentOf(requestBody.content)};`
      : "requestBody?: never;",
    `responses: ${block(responses)};`,
  ];
  return `/** \`${operationId}\`: ${summary} */\n${method}: ${block(parts)};`;
}

function parametersOf(parameters: readonly Parameter[]): string {
  const places = (["path", "query", "header"] as const).map((place) => {
    const here = parameters.filter((each) => each.in === place);
    if (here.length === 0) return `${place}?: never;`;
    const isNeeded = here.some(({ required }) => required);
    const fields = here.map(
      ({ name, required, description, schema }) =>
        `${comment(description)}${key(name)}${required ? "" : "?"}: ${typeOf(schema)};`,
    );
    return `${place}${isNeeded ? "" : "?"}: ${block(fields)};`;
  });
  return `parameters: ${block(places)};`;
}

function responseOf(response: Response | Reference, { components }: OpenApiDocument): string {
  const found = "$ref" in response ? components.responses[nameIn(response.$ref)] : response;
  return found?.content ? contentOf(found.content) : "{ content?: never }";
}

function contentOf(content: Content): string {
  const types = Object.entries(content).map(
    ([type, { schema }]) => `${JSON.stringify(type)}: ${typeOf(schema)};`,
  );
  return `{ content: ${block(types)} }`;
}

/** The type of what fits a schema, as far as types can say it: bounds and patterns are left out. */
export function typeOf(schema: JsonSchema): string {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (schema.$ref) return `Schemas[${JSON.stringify(nameIn(schema.$ref))}]`;
  if (alternatives) return union(alternatives.map(typeOf));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.type === undefined) throw new Error(`No type is known for ${JSON.stringify(schema)}`);
  return union([schema.type].flat().map((type) => typed(type, schema)));
}

function typed(type: string, schema: JsonSchema): string {
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    case "array":
      return `(${schema.items ? typeOf(schema.items) : "unknown"})[]`.replace(/^\(([\w["\]]+)\)/, "$1");
    case "object":
      return objectOf(schema);
    default:
      throw new Error(`No type is known for the type ${type}`);
  }
}

function objectOf({
  properties = {},
  required = [],
  additionalProperties,
  propertyNames,
}: JsonSchema): string {
  if (propertyNames && typeof additionalProperties === "object")
    return `{ [name in ${typeOf(propertyNames)}]?: ${typeOf(additionalProperties)} }`;
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description)}${key(name)}${required.includes(name) ? "" : "?"}: ${typeOf(schema)};`,
  );
  const isOpen = additionalProperties === true || (fields.length === 0 && additionalProperties === undefined);
  return block([...fields, ...(isOpen ? ["[name: string]: unknown;"] : [])]);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function nameIn(reference: string): string {
  return reference.replace(/^.*\//, "");
}

function key(name: string): string {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
}

function comment(text: string | undefined): string {
  return text === undefined ? "" : `/** ${text.replaceAll("*/", "* /")} */\n`;
}

function block(lines: readonly string[]): string {
  return `{\n${lines.join("\n").replace(/^/gm, "  ")}\n}`;
}
