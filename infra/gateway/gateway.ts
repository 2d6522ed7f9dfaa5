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
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { type FunctionName, groupsByPrefix, routesByGroup } from "../../functions/routes.ts";
import { createLogGroup } from "../log-group.ts";
import type { Targets } from "../rollout.ts";
import type { Stage } from "../stages.ts";
import { corsLists } from "./cors.ts";
import { domainMapping } from "./domain.ts";
import { routeKeys } from "./route-keys.ts";
import { routeLimits } from "./route-limits.ts";

/**
 * The fields of an access log line: no paths and query strings, which can hold personal data, and no time, which each
 * log event has.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    route: "$context.routeKey",
    status: AccessLogField.contextStatus(),
    bytes: AccessLogField.contextResponseLength(),
    milliseconds: AccessLogField.contextResponseLatency(),
    functionMilliseconds: AccessLogField.contextIntegrationLatency(),
    error: AccessLogField.contextErrorMessage(),
  }),
);

/**
 * The HTTP API: a route key for every declared route, and greedy route keys that send all other requests to
 * `fallback` (docs/adr/0001).
 *
 * @returns the API, and its access log
 */
export function gateway(stack: Stack, stage: Stage, targets: Targets): { api: HttpApi; accessLog: LogGroup } {
  const api = new HttpApi(stack, "Api", {
    description: `resource-api ${stage.name}`,
    createDefaultStage: false,
    // With a domain of its own the API has one address: its own.
    ...(stage.domain && { disableExecuteApiEndpoint: true }),
    corsPreflight: {
      allowOrigins: [...stage.corsOrigins],
      ...corsLists(stage),
      maxAge: Duration.hours(1),
    },
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
    accessLogSettings: { destination: new LogGroupLogDestination(accessLog), format: accessLogFormat },
  });

  const integrations = Object.fromEntries(
    Object.entries(targets).map(([name, target]) => [
      name,
      // One permission per function instead of one per route: Lambda limits the size of the policy.
      new HttpLambdaIntegration(`${name}Integration`, target, { scopePermissionToRoute: false }),
    ]),
  ) as Readonly<Record<FunctionName, HttpLambdaIntegration>>;
  const routes = new Map<string, HttpRoute>();
  for (const { path, method, group } of routeKeys(routesByGroup, groupsByPrefix)) {
    const integration = integrations[group];
    for (const route of api.addRoutes({ path, methods: [HttpMethod[method]], integration }))
      routes.set(`${method} ${path}`, route);
  }
  limitRoutes(apiStage, routes);

  const url = stage.domain ? `https://${stage.domain.name}` : api.apiEndpoint;
  new CfnOutput(stack, "Url", { value: url, description: "The base URL of the API" });
  return { api, accessLog };
}

/** Sets the limits of single routes, for which CDK has no construct. The stage depends on the routes it refers to. */
function limitRoutes(stage: HttpStage, routes: ReadonlyMap<string, HttpRoute>): void {
  const limited = Object.entries(routeLimits).map(([key, { perSecond, burst }]) => {
    const route = routes.get(key);
    if (!route) throw new Error(`There is no route key ${key}: correct infra/gateway/route-limits.ts`);
    stage.node.addDependency(route);
    return [key, { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: burst }];
  });
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(limited);
}
