import type { Route } from "../../lib/http/route.ts";
import { info, securitySchemes, servers, serversAt, tags } from "./about.ts";
import { Components } from "./components.ts";
import { errorResponses, noRouteResponses, type SharedResponses } from "./error-responses.ts";
import { examples } from "./examples.ts";
import { headers } from "./headers.ts";
import type { OpenApiDocument, Operation, PathItem } from "./model.ts";
import { parametersOf, requestBodyOf } from "./parameters.ts";
import { successResponses } from "./responses.ts";

/**
 * Builds the OpenAPI document from the route declarations.
 *
 * @param domain the deployment's own domain; without one the document names a local run and any deployment
 * @throws Error when two operations have the same name, or a declaration lacks an example or a description
 */
export function openApiDocument(routes: readonly Route[], domain?: string): OpenApiDocument {
  const components = new Components(examples);
  const shared: SharedResponses = new Map();
  const paths: Record<string, Record<string, Operation>> = {};
  const operationIds = new Set<string>();
  for (const route of sortByTag(routes)) {
    const { operationId, pattern, method } = route;
    if (operationIds.has(operationId)) throw new Error(`Two operations are named ${operationId}`);
    operationIds.add(operationId);
    paths[pattern] ??= {};
    paths[pattern][method.toLowerCase()] = operationOf(route, components, shared);
  }
  const responses = { ...noRouteResponses(components), ...sortByKey(shared) };
  return {
    openapi: "3.1.1",
    info,
    servers: domain === undefined ? servers : serversAt(domain),
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths satisfies Record<string, PathItem>,
    components: { schemas: components.schemas(), responses, headers, securitySchemes },
  };
}

function sortByTag(routes: readonly Route[]): readonly Route[] {
  const order = Object.keys(tags);
  const unknown = routes.find(({ tag }) => !order.includes(tag));
  if (unknown)
    throw new Error(`The tag ${unknown.tag} has no description: add one to infra/openapi/about.ts`);
  return order.flatMap((tag) => routes.filter((route) => route.tag === tag));
}

function operationOf(route: Route, components: Components, shared: SharedResponses): Operation {
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
    responses: { ...successResponses(route, components), ...errorResponses(route, components, shared) },
  };
}

function sortByKey<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
