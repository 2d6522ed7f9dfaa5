import { referencedName } from "../../../infra/openapi/json-schema.ts";
import type {
  Content,
  JsonSchema,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
} from "../../../infra/openapi/model.ts";
import { PROBLEM_MEDIA_TYPE } from "../../../lib/http/errors.ts";

/** openapi-fetch requires each path to have all of them. */
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The types of a document for openapi-fetch. openapi-typescript itself requires the compiler API of TypeScript 5. */
export function generateTypes(document: OpenApiDocument): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema)}${name}: ${schemaType(schema)};`,
  );
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const methods = METHODS.map((method) => {
      const operation = item[method];
      return operation ? operationOf(method, operation, document) : `${method}?: never;`;
    });
    return `${JSON.stringify(path)}: ${block(["parameters: {};", ...methods])};`;
  });
  return [
    "// Generated from docs/openapi.json: npm run generate",
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
  return `${comment({ description: `\`${operationId}\`: ${summary}` })}${method}: ${block(parts)};`;
}

function parametersOf(parameters: readonly Parameter[]): string {
  const parts = (["path", "query", "header"] as const).map((part) => {
    const inPart = parameters.filter((each) => each.in === part);
    if (inPart.length === 0) return `${part}?: never;`;
    const isRequired = inPart.some(({ required }) => required);
    const fields = inPart.map(
      ({ name, required, description, schema }) =>
        `${comment({ ...schema, description })}${key(name)}${required ? "" : "?"}: ${schemaType(schema)};`,
    );
    return `${part}${isRequired ? "" : "?"}: ${block(fields)};`;
  });
  return `parameters: ${block(parts)};`;
}

function responseOf(response: Response | Reference, { components }: OpenApiDocument): string {
  const resolved = "$ref" in response ? components.responses[referencedName(response.$ref)] : response;
  // The client does not ask for problem details.
  const { [PROBLEM_MEDIA_TYPE]: _, ...content } = resolved?.content ?? {};
  return Object.keys(content).length > 0 ? contentOf(content) : "{ content?: never }";
}

function contentOf(content: Content): string {
  const types = Object.entries(content).map(
    ([type, { schema }]) => `${comment(schema)}${JSON.stringify(type)}: ${schemaType(schema)};`,
  );
  return `{ content: ${block(types)} }`;
}

/** The TypeScript type of a schema, without bounds and patterns, which types cannot express. */
function schemaType(schema: JsonSchema): string {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (schema.$ref) return `Schemas[${JSON.stringify(referencedName(schema.$ref))}]`;
  if (alternatives) return union(alternatives.map(schemaType));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.type === undefined) throw new Error(`Unsupported schema: ${JSON.stringify(schema)}`);
  return union([schema.type].flat().map((type) => typeByName(type, schema)));
}

function typeByName(type: string, schema: JsonSchema): string {
  if (type === "integer") return "number";
  if (["number", "string", "boolean", "null"].includes(type)) return type;
  if (type === "object") return objectType(schema);
  if (type !== "array") throw new Error(`Unsupported type: ${type}`);
  return `(${schema.items ? schemaType(schema.items) : "unknown"})[]`.replace(/^\(([\w["\]]+)\)/, "$1");
}

function objectType(schema: JsonSchema): string {
  const { properties = {}, required = [], additionalProperties, propertyNames } = schema;
  if (propertyNames && typeof additionalProperties === "object")
    return `{ [name in ${schemaType(propertyNames)}]?: ${schemaType(additionalProperties)} }`;
  const fields = Object.entries(properties).map(
    ([name, field]) =>
      `${comment(field)}${key(name)}${required.includes(name) ? "" : "?"}: ${schemaType(field)};`,
  );
  const isOpen = additionalProperties === true || (fields.length === 0 && additionalProperties === undefined);
  return block([...fields, ...(isOpen ? ["[name: string]: unknown;"] : [])]);
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function key(name: string): string {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
}

/** What the type does not say: description, bounds and default. */
function comment(schema: JsonSchema): string {
  const bounds = boundsOf(schema).join(", ");
  const text = [schema.description, bounds && `(${bounds})`].filter(Boolean).join(" ");
  return text === "" ? "" : `/** ${text.replaceAll("*/", "* /")} */\n`;
}

const BOUNDS = [
  ...(["minimum", "exclusiveMinimum", "maximum", "minLength", "maxLength"] as const),
  ...(["minItems", "maxItems", "pattern", "format", "default"] as const),
];

/** Bounds of all safe integers are left out, and formats of numbers. */
function boundsOf(schema: JsonSchema): string[] {
  const own = BOUNDS.filter((name) => {
    const value = schema[name];
    if (name === "format") return value === "date-time";
    return value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER;
  });
  const ofItems = schema.items ? boundsOf(schema.items).map((bound) => `each ${bound}`) : [];
  return [...own.map((name) => `${name} ${schema[name]}`), ...ofItems];
}

function block(lines: readonly string[]): string {
  return `{\n${lines.join("\n").replace(/^/gm, "  ")}\n}`;
}
