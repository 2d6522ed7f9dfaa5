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
 */
export function parametersOf(route: Route<never>, components: Components): Parameter[] {
  return [...declaredParameters(route, components), ...protocolHeaders(route)];
}

/** The headers that come with what a route does: conditions and idempotency keys. */
function protocolHeaders(route: Route<never>): Parameter[] {
  return Object.entries(protocolOf(route).requestHeaders).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
}

function declaredParameters(route: Route<never>, components: Components): Parameter[] {
  return (["path", "query", "headers"] as const).flatMap((part) =>
    Object.entries(shapeOf(route[part])).map(([name, validator]) => {
      const { description, ...schema } = components.of(validator, "input");
      const isElsewhere = part === "query" && route.queryInBody === true;
      const text = [description, ...(isElsewhere ? [IN_BODY] : [])].filter(Boolean).join(". ");
      return {
        name,
        in: part === "headers" ? "header" : part,
        required: part === "path" || (!isElsewhere && !validator.safeParse(undefined).success),
        ...(text !== "" && { description: text }),
        schema,
        // So that a path can be tried as it is.
        ...(part === "path" && schema.type === "integer" && { example: 1 }),
      };
    }),
  );
}

/**
 * What a route takes as its body: the one that it declares, or the parameters of its query.
 *
 * @returns undefined when it takes none
 */
export function requestBodyOf(route: Route<never>, components: Components): RequestBody | undefined {
  if (route.body) {
    const content = { "application/json": { schema: components.of(route.body, "input") } };
    return { required: !route.body.safeParse(undefined).success, content };
  }
  if (!route.query || !route.queryInBody) return undefined;
  const schema = components.add(`${capitalize(route.operationId)}Request`, bodyOf(route.query, components));
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

/**
 * Tells whether a request can fail its validation at all: the list of all todos takes nothing, and an id of a
 * todo that is no integer is only unknown.
 */
export function canBeInvalid(route: Route<never>): boolean {
  if (route.body || route.queryInBody || route.creates) return true;
  const hostile = { path: ["", "\ud800"], query: [undefined, [""], ["\ud800"]], headers: [undefined, ""] };
  return (["path", "query", "headers"] as const).some((part) =>
    Object.values(shapeOf(route[part])).some((validator) =>
      hostile[part].some((value) => !validator.safeParse(value).success),
    ),
  );
}

function shapeOf(validator: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  if (validator === undefined) return {};
  if (validator instanceof z.ZodObject) return validator.shape;
  throw new Error("Parameters are declared as an object of theirs");
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
