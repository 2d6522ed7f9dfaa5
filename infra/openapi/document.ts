import type { Route } from "../../lib/http/route.ts";
import { info, securitySchemes, servers, tags } from "./about.ts";
import { Components } from "./components.ts";
import { failuresOf, type SharedResponses, unmatchedResponses } from "./error-responses.ts";
import { examples } from "./examples.ts";
import { headers } from "./headers.ts";
import type { OpenApiDocument, Operation, PathItem } from "./model.ts";
import { parametersOf, requestBodyOf } from "./parameters.ts";
import { successesOf } from "./responses.ts";

/**
 * The OpenAPI document of declared routes. It says what the declarations say; nothing is listed a second time.
 *
 * @param routes of all functions
 * @throws Error when two operations have one name, or something declared has no example or description
 */
export function openApiDocument(routes: readonly Route<never>[]): OpenApiDocument {
  const components = new Components(examples);
  const shared: SharedResponses = new Map();
  const paths: Record<string, Record<string, Operation>> = {};
  const names = new Set<string>();
  for (const route of byTag(routes)) {
    const { operationId, pattern, method } = route;
    if (names.has(operationId)) throw new Error(`Two operations are named ${operationId}`);
    names.add(operationId);
    paths[pattern] ??= {};
    paths[pattern][method.toLowerCase()] = operationOf(route, components, shared);
  }
  const responses = { ...unmatchedResponses(components), ...sorted(shared) };
  return {
    openapi: "3.1.1",
    info,
    servers,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths satisfies Record<string, PathItem>,
    components: { schemas: components.schemas(), responses, headers, securitySchemes },
  };
}

/** The routes in the order of the areas' descriptions. */
function byTag(routes: readonly Route<never>[]): readonly Route<never>[] {
  const order = Object.keys(tags);
  const unknown = routes.find(({ tag }) => !order.includes(tag));
  if (unknown) throw new Error(`The area ${unknown.tag} is not described in infra/openapi/about.ts`);
  return order.flatMap((tag) => routes.filter((route) => route.tag === tag));
}

function operationOf(route: Route<never>, components: Components, shared: SharedResponses): Operation {
  if (route.description.trim() === "") throw new Error(`${route.operationId} has no description`);
  const parameters = parametersOf(route, components);
  const requestBody = requestBodyOf(route, components);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    security: route.authorizer ? [{ [route.authorizer.scheme]: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successesOf(route, components), ...failuresOf(route, components, shared) },
  };
}

function sorted<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
