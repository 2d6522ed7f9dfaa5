import * as z from "zod";
import { protocolOf } from "../../lib/http/protocol.ts";
import type { Route } from "../../lib/http/route.ts";
import type { Components } from "./components.ts";
import type { JsonSchema, Parameter, RequestBody } from "./model.ts";

/** What is said of each parameter of a query that a body may carry instead. */
const IN_BODY = "May be in the body instead, which no log has";

/**
 * The parameters of a route, as its path, query and headers declare them.
 *
 * @param components takes in the named schemas
 * @throws Error when nothing is said of one of them
 */
export function parametersOf(route: Route<never>, components: Components): Parameter[] {
  return [...declaredParameters(route, components), ...protocolHeaders(route, components)];
}

function declaredParameters(route: Route<never>, components: Components): Parameter[] {
  return (["path", "query", "headers"] as const).flatMap((part) =>
    Object.entries(shapeOf(route.request[part])).map(([name, validator]) => {
      const isElsewhere = part === "query" && route.queryInBody === true;
      const { description, schema } = described(route, name, validator, components);
      return {
        name,
        in: part === "headers" ? "header" : part,
        required: part === "path" || (!isElsewhere && !validator.safeParse(undefined).success),
        description: isElsewhere ? `${description}. ${IN_BODY}` : description,
        schema,
        // So that a path can be tried as it is.
        ...(part === "path" && schema.type === "integer" && { example: 1 }),
      };
    }),
  );
}

/** The headers that come with what a route does: conditions and idempotency keys. */
function protocolHeaders(route: Route<never>, components: Components): Parameter[] {
  return Object.entries(protocolOf(route).requestHeaders).map(([name, validator]) => ({
    name,
    in: "header",
    required: false,
    ...described(route, name, validator, components),
  }));
}

/** A parameter's schema, and apart from it what is said of the parameter. */
function described(route: Route<never>, name: string, validator: z.ZodType, components: Components) {
  const { description, ...schema } = components.of(validator, "input");
  if (!description) throw new Error(`The parameter ${name} of ${route.operationId} has no description`);
  return { description, schema };
}

/**
 * What a route takes as its body: the one that it declares, or the parameters of its query.
 *
 * @returns undefined when it takes none
 */
export function requestBodyOf(route: Route<never>, components: Components): RequestBody | undefined {
  if (route.request.body) {
    const content = { "application/json": { schema: components.of(route.request.body, "input") } };
    return { required: !route.request.body.safeParse(undefined).success, content };
  }
  if (!route.request.query || !route.queryInBody) return undefined;
  const schema = components.add(
    `${capitalize(route.operationId)}Request`,
    bodyOf(route.request.query, components),
  );
  return {
    required: false,
    description: "The parameters as JSON or as a form, instead of in the query",
    content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } },
  };
}

function bodyOf(query: z.ZodType, components: Components): JsonSchema {
  const shape = Object.entries(shapeOf(query));
  return {
    type: "object",
    properties: Object.fromEntries(
      shape.map(([name, validator]) => [name, components.of(validator, "input")]),
    ),
    required: shape.flatMap(([name, validator]) => (validator.safeParse(undefined).success ? [] : [name])),
  };
}

function shapeOf(validator: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  if (validator === undefined) return {};
  if (validator instanceof z.ZodObject) return validator.shape;
  throw new Error("Parameters are declared as an object of theirs");
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
