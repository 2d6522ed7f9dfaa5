import type * as z from "zod/mini";
import type { ExampleRequest } from "../../functions/define-area.ts";
import { protocolOf } from "../../lib/http/protocol.ts";
import type { Route } from "../../lib/http/route.ts";
import type { Components } from "./components.ts";
import { schemaNameOf } from "./json-schema.ts";
import type { Parameter, RequestBody } from "./model.ts";

/**
 * The parameters of a route: its path, query and headers, and the headers for conditional requests and
 * idempotency.
 *
 * @param request a request of the route, whose values become examples
 * @throws Error when one has no description
 */
export function parametersOf(route: Route, components: Components, request: ExampleRequest): Parameter[] {
  const ofProtocol = Object.entries(protocolOf(route).requestHeaders).map(([name, validator]) => ({
    ...({ name, in: "header", required: false } as const),
    ...describe(route, name, validator, components),
  }));
  return [
    ...declaredParameters(route, "path", components, request.path),
    ...declaredParameters(route, "query", components, request.query),
    ...declaredParameters(route, "headers", components),
    ...ofProtocol,
  ];
}

const locations = { path: "path", query: "query", headers: "header" } as const;

function declaredParameters(
  route: Route,
  part: keyof typeof locations,
  components: Components,
  examples: Readonly<Record<string, unknown>> = {},
): Parameter[] {
  const canBeInBody = part === "query" && route.queryInBody === true;
  return firstSpellings(route.request[part]?.shape ?? {}).map(([name, validator]) => {
    const { description, schema } = describe(route, name, validator, components);
    const example = examples[name];
    return {
      name,
      in: locations[part],
      ...(canBeInBody && { deprecated: true }),
      required: part === "path" || !(canBeInBody || isOptional(validator)),
      description: canBeInBody
        ? `${description}. Prefer the body: query strings end up in logs`
        : description,
      schema,
      ...(example !== undefined && { example }),
    };
  });
}

function isOptional(validator: z.ZodMiniType): boolean {
  return validator.safeParse(undefined).success;
}

/** Leaves out `api_version` beside `api-version`: generators make one name of both. */
function firstSpellings<T>(fields: Readonly<Record<string, T>>): [string, T][] {
  const names = Object.keys(fields).map((name) => name.replaceAll("-", "_"));
  return Object.entries(fields).filter(([name], index) => names.indexOf(name.replaceAll("-", "_")) === index);
}

/** Separates the description, which belongs to the parameter, from its schema. */
function describe(route: Route, name: string, validator: z.ZodMiniType, components: Components) {
  const { description, ...schema } = components.addValidator(validator, "input");
  if (!description) throw new Error(`The parameter ${name} of ${route.operationId} has no description`);
  return { description, schema };
}

/** The request body of a route: the declared one, or its query parameters; undefined for none. */
export function requestBodyOf(
  route: Route,
  components: Components,
  { body }: ExampleRequest,
): RequestBody | undefined {
  const example = body !== undefined && { example: body };
  if (route.request.body) {
    const schema = components.addValidator(route.request.body, "input");
    const content = { "application/json": { schema, ...example } };
    return { required: !isOptional(route.request.body), content };
  }
  if (!route.request.query || !route.queryInBody) return undefined;
  const fields = Object.entries(route.request.query.shape);
  const schema = components.add(schemaNameOf(route, "Request"), {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, validator]) => [name, components.addValidator(validator, "input")]),
    ),
    required: fields.filter(([, validator]) => !isOptional(validator)).map(([name]) => name),
  });
  return {
    required: false,
    description: "The query parameters, as JSON or as a form",
    content: { "application/json": { schema, ...example }, "application/x-www-form-urlencoded": { schema } },
  };
}
