import { CfnOutput, Duration, RemovalPolicy, type Stack, Validations } from "aws-cdk-lib";
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
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { groupsByPrefix, routesByGroup } from "../functions/routes.ts";
import type { FunctionName } from "./functions.ts";
import { routeKeys } from "./route-keys.ts";
import { routeLimits } from "./route-limits.ts";
import type { Stage } from "./stages.ts";

/** What the access log says of a request: no query string, and no path with the ids in it. */
const accessLog = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTime(),
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
 * The HTTP API: a route key for every declared route, and greedy ones that lead all the rest to `fallback`
 * (docs/adr/0001).
 *
 * @param functions the functions by their folder's name
 * @returns the API, and the log with a line for each of its requests
 */
export function gateway(
  stack: Stack,
  stage: Stage,
  functions: ReadonlyMap<FunctionName, LambdaFunction>,
): { api: HttpApi; accessLogs: LogGroup } {
  const api = new HttpApi(stack, "Api", {
    description: `resource-api ${stage.name}`,
    createDefaultStage: false,
    corsPreflight: {
      allowOrigins: [...stage.corsOrigins],
      allowMethods: [...stage.corsMethods],
      allowHeaders: [...stage.corsHeaders],
      maxAge: Duration.hours(1),
    },
  });

  Validations.of(api).acknowledge({
    id: "AwsSolutions-APIG4",
    reason:
      "Most routes are public; keys and tokens are checked by the functions, with the specified answers",
  });
  const accessLogs = new LogGroup(stack, "AccessLogs", {
    retention: stage.logRetention,
    removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const apiStage = new HttpStage(stack, "ApiStage", {
    httpApi: api,
    stageName: "$default",
    autoDeploy: true,
    throttle: { rateLimit: stage.requestsPerSecond, burstLimit: 2 * stage.requestsPerSecond },
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLogs),
      format: accessLog,
    },
  });

  const integrations = new Map(
    [...functions].map(([name, lambda]) => [
      name,
      // One permission per function instead of one per route: Lambda bounds the policy's size.
      new HttpLambdaIntegration(`${name}Integration`, lambda, { scopePermissionToRoute: false }),
    ]),
  );
  const routes = new Map<string, HttpRoute>();
  for (const { path, method, group } of routeKeys(routesByGroup, groupsByPrefix)) {
    const integration = integrations.get(group);
    if (!integration)
      throw new Error(`No function answers ${method} ${path}: add ${group} to infra/functions.ts`);
    for (const route of api.addRoutes({ path, methods: [HttpMethod[method]], integration }))
      routes.set(`${method} ${path}`, route);
  }
  limitRoutes(apiStage, routes);

  new CfnOutput(stack, "Url", { value: api.apiEndpoint, description: "Where the API answers" });
  return { api, accessLogs };
}

/** CDK has no construct for a route's own limits. The stage names routes then, so they have to be there first. */
function limitRoutes(stage: HttpStage, routes: ReadonlyMap<string, HttpRoute>): void {
  const limited = Object.entries(routeLimits).map(([key, { perSecond, atOnce }]) => {
    const route = routes.get(key);
    if (!route) throw new Error(`The gateway has no route ${key}: see infra/route-limits.ts`);
    stage.node.addDependency(route);
    return [key, { ThrottlingRateLimit: perSecond, ThrottlingBurstLimit: atOnce }];
  });
  (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(limited);
}
