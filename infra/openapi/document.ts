import type { AreaDefinition } from "../../functions/define-area.ts";
import { definitions, routesByArea } from "../../functions/definitions.ts";
import { exampleOf, shownContext } from "../../functions/example-requests.ts";
import type { Route } from "../../lib/http/route.ts";
import { info, securitySchemes, servers } from "./about.ts";
import { Components } from "./components.ts";
import { errorResponses, noRouteResponses, type SharedResponses } from "./error-responses.ts";
import { fieldErrorSchema } from "./error-schemas.ts";
import { headers } from "./headers.ts";
import type { OpenApiDocument, Operation, PathItem } from "./model.ts";
import { parametersOf, requestBodyOf } from "./parameters.ts";
import { successResponses } from "./responses.ts";
import { startText } from "./start.ts";

const areas = Object.values(definitions).sort(
  (a, b) => (a.position ?? Number.POSITIVE_INFINITY) - (b.position ?? Number.POSITIVE_INFINITY),
);

const tags: Readonly<Record<string, string>> = Object.assign({}, ...areas.map((area) => area.tags));

const areaByKey = new Map(
  Object.entries(routesByArea).flatMap(([name, routes]) =>
    routes.map(({ key }) => [key, definitions[name] as AreaDefinition]),
  ),
);

/**
 * Builds the OpenAPI document from the route declarations.
 *
 * @param address the deployment's; without one the document names a local run and any deployment
 * @throws Error when two operations have the same name, or a declaration lacks an example or a description
 */
export function openApiDocument(routes: readonly Route[], address?: string): OpenApiDocument {
  const components = new Components(areas);
  const shared: SharedResponses = new Map();
  const paths: Record<string, Record<string, Operation>> = {};
  const [duplicate] =
    [...Map.groupBy(routes, ({ operationId }) => operationId)].find(([, each]) => each.length > 1) ?? [];
  if (duplicate !== undefined) throw new Error(`Two operations are named ${duplicate}`);
  for (const route of sortByTag(routes)) {
    const ofArea = components.of(areaByKey.get(route.key));
    const { pattern, method } = route;
    paths[pattern] ??= {};
    paths[pattern][method.toLowerCase()] = operationOf(route, ofArea, shared);
  }
  components.add(fieldErrorSchema.name, fieldErrorSchema.schema);
  const responses = { ...noRouteResponses(components), ...sortByKey(shared) };
  return {
    openapi: "3.1.1",
    info: { ...info, description: startText(areas, sortByTag(routes)) },
    servers: address === undefined ? servers : [{ url: address, description: "This deployment" }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: paths satisfies Record<string, PathItem>,
    components: { schemas: sortByKey(components.schemas), responses, headers, securitySchemes },
  };
}

function sortByTag(routes: readonly Route[]): readonly Route[] {
  const order = Object.keys(tags);
  const unknown = routes.find(({ tag }) => !order.includes(tag));
  if (unknown)
    throw new Error(`The tag ${unknown.tag} has no description: add one to the tags of its area.ts`);
  return order.flatMap((tag) => routes.filter((route) => route.tag === tag));
}

function operationOf(route: Route, components: Components, shared: SharedResponses): Operation {
  if (route.description.trim() === "") throw new Error(`${route.operationId} has no description`);
  const example = areaByKey.has(route.key) ? exampleOf(route.key, shownContext) : {};
  const parameters = parametersOf(route, components, example);
  const unknown = parameters.find((each) => each.in === "query" && each.required && !("example" in each));
  if (unknown && areaByKey.has(route.key))
    throw new Error(
      `${route.key} requires ?${unknown.name}=: give it a value in \`requests\` of its area.ts`,
    );
  const requestBody = requestBodyOf(route, components, example);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...successResponses(route, components), ...errorResponses(route, components, shared) },
  };
}

function securityOf({ authorizer, guard }: Route): Operation["security"] {
  if (guard !== undefined) return [{ bearer: [] }];
  if (authorizer === undefined) return [];
  return [...(authorizer.isOptional ? [{}] : []), { [authorizer.scheme]: [] }];
}

function sortByKey<T>(entries: ReadonlyMap<string, T>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
