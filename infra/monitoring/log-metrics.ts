import type { Stack } from "aws-cdk-lib";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { allRoutes, definitions, functionOf } from "../../functions/definitions.ts";
import { pascalCase } from "../../lib/construct-ids.ts";
import { statusByCode } from "../../lib/http/errors.ts";
import type { Stage } from "../settings/stages.ts";
import { METRIC_PERIOD, metricsNamespace } from "./metrics.ts";

/** Metrics that are counted in the gateway's log, which has all requests, and in those that areas name. */
export function createLogMetrics(
  stack: Stack,
  stage: Stage,
  accessLog: ILogGroup,
  lambdas: ReadonlyMap<string, LambdaFunction>,
) {
  type Pattern = ReturnType<typeof FilterPattern.all>;
  const count = (id: string, logGroup: ILogGroup, filterPattern: Pattern, suffix = "") =>
    new MetricFilter(stack, `${id}${suffix}`, {
      logGroup,
      filterPattern,
      metricNamespace: metricsNamespace(stage),
      metricName: `${id.charAt(0).toLowerCase()}${id.slice(1)}`,
    }).metric({ statistic: Stats.SUM, period: METRIC_PERIOD });

  return {
    serverErrors: count("GatewayServerErrors", accessLog, ofGateway(["5*"])),
    refused: count("GatewayRefusals", accessLog, ofGateway(["401", "403", "429"])),
    counted: Object.entries(definitions).flatMap(([area, { counted = {} }]) =>
      Object.entries(counted).flatMap(
        ([id, { routes, statuses, functions = [functionOf(area)], ...shown }]) => {
          const pattern = FilterPattern.all(
            FilterPattern.any(...routes.map((route) => FilterPattern.stringValue("$.route", "=", route))),
            FilterPattern.any(
              ...statuses.map((status) => FilterPattern.numberValue("$.status", "=", status)),
            ),
          );
          // They count the same metric.
          const [metric] = functions.flatMap((name) => {
            const logGroup = lambdas.get(name)?.logGroup;
            return logGroup ? [count(id, logGroup, pattern, `In${pascalCase(name)}`)] : [];
          });
          return metric ? [{ id, metric, ...shown }] : [];
        },
      ),
    ),
  };
}

/** Without the demonstrations, which anybody can request. The gateway logs the status as a string. */
function ofGateway(statuses: readonly string[]) {
  return FilterPattern.all(
    FilterPattern.any(...statuses.map((status) => FilterPattern.stringValue("$.status", "=", status))),
    ...demonstrationRouteKeys().map((key) => FilterPattern.stringValue("$.route", "!=", key)),
  );
}

function demonstrationRouteKeys(): string[] {
  return allRoutes
    .filter(({ errors }) => errors?.[statusByCode.InternalServerError] !== undefined)
    .flatMap(({ pattern }) => ["GET", "HEAD"].map((method) => `${method} ${pattern.replace(/\{.*$/, "*")}`));
}
