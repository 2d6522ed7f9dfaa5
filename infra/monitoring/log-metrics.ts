import type { Stack } from "aws-cdk-lib";
import { type Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { routesByGroup } from "../../functions/routes.ts";
import { statusByCode } from "../../lib/http/errors.ts";
import { type FunctionName, metricsNamespace } from "../functions.ts";
import type { Stage } from "../stages.ts";
import { period } from "./monitored.ts";

/** What is counted in the logs, since no metric of AWS's tells it. */
export interface LogMetrics {
  /** Answers with a server error, but for those that a route shows on purpose: anybody can ask for them. */
  readonly serverErrors: Metric;
  /** Orders that were refused because there is not that much in stock. */
  readonly ordersBeyondStock: Metric;
}

/**
 * Counts lines of the logs: of the gateway's access log, which also has the requests that no function answered,
 * and of the functions' own.
 *
 * @param accessLogs the gateway's
 * @param functions the functions by their folder's name
 */
export function metricsOfLogs(
  stack: Stack,
  stage: Stage,
  accessLogs: ILogGroup,
  functions: ReadonlyMap<FunctionName, LambdaFunction>,
): LogMetrics {
  const count = (id: string, logGroup: ILogGroup, filterPattern: ReturnType<typeof FilterPattern.all>) =>
    new MetricFilter(stack, id, {
      logGroup,
      filterPattern,
      metricNamespace: metricsNamespace(stage),
      metricName: `${id.charAt(0).toLowerCase()}${id.slice(1)}`,
    }).metric({ statistic: Stats.SUM, period });

  const orders = functions.get("orders");
  if (!orders) throw new Error("There is no function orders");
  return {
    // The gateway writes the status as text.
    serverErrors: count(
      "GatewayServerErrors",
      accessLogs,
      FilterPattern.all(
        FilterPattern.stringValue("$.status", "=", "5*"),
        ...failingOnPurpose().map((key) => FilterPattern.stringValue("$.route", "!=", key)),
      ),
    ),
    // What else is wrong with an order is 404 or 422 (specification, "Orders").
    ordersBeyondStock: count(
      "OrdersBeyondStock",
      orders.logGroup,
      FilterPattern.all(
        FilterPattern.stringValue("$.route", "=", "POST /orders"),
        FilterPattern.numberValue("$.status", "=", statusByCode.InvalidArgument),
      ),
    ),
  };
}

/** The keys of the routes that declare a server error of their own, with a wildcard for their placeholders. */
function failingOnPurpose(): string[] {
  return Object.values(routesByGroup)
    .flat()
    .filter(({ errors }) => errors?.[statusByCode.Demonstration] !== undefined)
    .map(({ method, pattern }) => `${method} ${pattern.replace(/\{.*$/, "*")}`);
}
