import { CfnOutput, Duration, type Stack, Validations } from "aws-cdk-lib";
import { AccessLogField, AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  type CfnStage,
  HttpApi,
  HttpMethod,
  type HttpRoute,
  HttpStage,
  LogGroupLogDestination,
} from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { RouteLimit, RouteUnits } from "../../functions/define-area.ts";
import { definitions, functionOf, routesByArea } from "../../functions/definitions.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import { createLogGroup } from "../monitoring/log-group.ts";
import { isServed, publicAddressOf, type Stage } from "../settings/stages.ts";
import { corsLists } from "./cors.ts";
import { domainMapping } from "./domain.ts";
import { routeKeys, withoutTrailingSlash } from "./route-keys.ts";

/** What the gateway invokes, by the name of the function's folder: its alias, or the function itself. */
export type Targets = ReadonlyMap<string, IFunction>;

/** Without paths and queries, which can hold personal data. Log events have times. */
const accessLogFormat = ({ anonymousLogs }: Stage) =>
  AccessLogFormat.custom(
    JSON.stringify({
      requestId: AccessLogField.contextRequestId(),
      ...(!anonymousLogs && { sourceIp: AccessLogField.contextIdentitySourceIp() }),
      route: "$context.routeKey",
      status: AccessLogField.contextStatus(),
      bytes: AccessLogField.contextResponseLength(),
      milliseconds: AccessLogField.contextResponseLatency(),
      functionMilliseconds: AccessLogField.contextIntegrationLatency(),
      error: AccessLogField.contextErrorMessage(),
    }),
  );

/** The HTTP API, whose greedy route keys send all undeclared requests to `fallback` (docs/adr/0001). */
export function gateway(stack: Stack, stage: Stage, targets: Targets) {
  const api = new HttpApi(stack, "Api", {
    apiName: stack.stackName,
    description: `${SERVICE_NAME} ${stage.name}`,
    createDefaultStage: false,
    // With a domain of its own the API has one address: its own.
    ...(stage.domain && { disableExecuteApiEndpoint: true }),
    corsPreflight: { allowOrigins: [...stage.corsOrigins], ...corsLists(stage), maxAge: Duration.hours(1) },
  });

  Validations.of(api).acknowledge({
    id: "AwsSolutions-APIG4",
    reason:
      "Most routes are public; the functions check keys and tokens, to send the specified error responses",
  });
  const accessLog = createLogGroup(stack, stage, "AccessLogs");
  const apiStage = new HttpStage(stack, "ApiStage", {
    httpApi: api,
    stageName: "$default",
    autoDeploy: true,
    throttle: { rateLimit: stage.requestsPerSecond, burstLimit: 2 * stage.requestsPerSecond },
    ...(stage.domain && { domainMapping: domainMapping(stack, stage.domain) }),
    accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: accessLogFormat(stage) },
  });

  const integrations = new Map(
    [...targets].map(([name, target]) => [
      name,
      // One permission per function instead of one per route: Lambda limits the size of the policy.
      new HttpLambdaIntegration(`${name}Integration`, target, { scopePermissionToRoute: false }),
    ]),
  );
  const routes = new Map<string, HttpRoute>();
  const served = Object.entries(routesByArea).filter(([area]) => isServed(area, stage));
  for (const { path, method, area } of routeKeys(Object.fromEntries(served))) {
    const integration = integrations.get(functionOf(area));
    if (integration === undefined) throw new Error(`There is no function ${area}`);
    for (const route of api.addRoutes({ path, methods: [HttpMethod[method]], integration }))
      routes.set(`${method} ${path}`, route);
  }
  limitRoutes(apiStage, routes, routeLimits(stage));

  const url = publicAddressOf(stage) ?? api.apiEndpoint;
  new CfnOutput(stack, "Url", { value: url, description: "The base URL of the API" });
  return { api, accessLog, url };
}

/** Sets the limits of single routes, for which CDK has no construct. The stage depends on their routes. */
function limitRoutes(
  stage: HttpStage,
  routes: ReadonlyMap<string, HttpRoute>,
  limits: Readonly<Record<string, RouteLimit>>,
): void {
  const limited = Object.entries(limits).map(([key, { perSecond, burst }]) => {
    const route = routes.get(key);
    if (!route) throw new Error(`There is no route key ${key}`);
    stage.node.addDependency(route);
    return [key, { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: burst }];
  });
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(limited);
}

/**
 * The limits that the areas set, or that follow from what their requests take of a table, by route key. A
 * HEAD reads as much as its GET. The stage's limit applies to all other routes.
 *
 * `POST /{proxy+}` has none, although some gateways send registrations there (docs/adr/0001): requests to
 * unknown paths would use it up. The concurrency reserved for `fallback` limits its password hashes.
 */
export function routeLimits(stage: Stage): Readonly<Record<string, RouteLimit>> {
  const limits = Object.entries(definitions).flatMap(([area, { limits = {} }]) =>
    isServed(area, stage) ? Object.entries(limits as Readonly<Record<string, RouteLimit | RouteUnits>>) : [],
  );
  return Object.fromEntries(
    limits.flatMap(([key, limit]) =>
      [key, key.replace(/^GET /, "HEAD ")].map((each) => [withoutTrailingSlash(each), limitIn(stage, limit)]),
    ),
  );
}

/** The part of what a table, or a partition key, serves that one route may take. */
export const TABLE_SHARE = 0.75;
/** DynamoDB serves so many of a partition key in a second. */
const KEY_WRITE_UNITS = 1_000;

function limitIn(stage: Stage, limit: RouteLimit | RouteUnits): RouteLimit {
  if (!("burst" in limit)) {
    const { read = 0, write = 0, writeOfKey = 0 } = limit;
    const ofTable = Math.min(stage.maxReadUnits / read, stage.maxWriteUnits / write);
    const requests = TABLE_SHARE * Math.min(ofTable, KEY_WRITE_UNITS / writeOfKey);
    const perSecond = Math.max(stage.minRouteLimit, Math.floor(requests));
    return limitIn(stage, { perSecond, burst: 2 * perSecond });
  }
  return {
    perSecond: Math.min(limit.perSecond, stage.requestsPerSecond),
    burst: Math.min(limit.burst, 2 * stage.requestsPerSecond),
  };
}
