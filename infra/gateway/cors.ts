import type { CorsHttpMethod } from "aws-cdk-lib/aws-apigatewayv2";
import { routesWith } from "../../functions/definitions.ts";
import { openApiDocument } from "../openapi/document.ts";
import type { Stage } from "../settings/stages.ts";

/** Specification, "What the service does", 8. */
const specified = {
  allowMethods: ["OPTIONS", "GET", "POST", "PUT", "DELETE"] as CorsHttpMethod[],
  allowHeaders: ["Content-Type"],
};

/** Pages may read `Cache-Control` anyway (CORS-safelisted); the browser alone handles the others. */
const browserHeaders = ["accept-encoding", "cache-control", "content-encoding", "vary"];

/** The specified lists; with `browserClients` also every method and header of the OpenAPI document. */
export function corsLists(stage: Stage) {
  if (!stage.browserClients) return specified;
  const { paths, components } = openApiDocument(Object.values(routesWith(stage.areaSettings)).flat());
  const operations = Object.values(paths).flatMap((item) => Object.entries(item));
  const parameters = operations.flatMap(([, { parameters = [] }]) => parameters);
  const credentials = Object.values(components.securitySchemes).map(({ name = "Authorization" }) => name);
  const headers = parameters.flatMap((parameter) => (parameter.in === "header" ? [parameter.name] : []));
  return {
    allowMethods: unique([
      ...specified.allowMethods,
      ...operations.map(([method]) => method.toUpperCase() as CorsHttpMethod),
    ]),
    allowHeaders: visibleToPages([...specified.allowHeaders, ...credentials, ...headers]),
    exposeHeaders: visibleToPages(Object.keys(components.headers)),
  };
}

function visibleToPages(headers: readonly string[]): string[] {
  return unique(headers).filter((name) => !browserHeaders.includes(name));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
