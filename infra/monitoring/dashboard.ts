import type { Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Dashboard, GraphWidget, type IMetric, MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Stage } from "../stages.ts";
import type { Tables } from "../tables.ts";
import type { createLogMetrics } from "./log-metrics.ts";
import { METRIC_PERIOD, metricsNamespace, SLOW_MILLISECONDS, tableMetrics } from "./metrics.ts";

export interface Monitored {
  readonly api: HttpApi;
  readonly functions: readonly LambdaFunction[];
  readonly tables: Tables;
  readonly logMetrics: ReturnType<typeof createLogMetrics>;
}

// The dimensions of the functions' own metrics (lib/log/log.ts), and their units.
const perRoute = ["route", "service"];
const perFunction = ["function_name", "service"];
type Unit = "Milliseconds" | "Count";

export function dashboard(
  stack: Stack,
  stage: Stage,
  { api, functions, tables, logMetrics }: Monitored,
): void {
  const perTable = (metric: Parameters<typeof tableMetrics>[2]) =>
    [...tables].flatMap(([name, table]) => tableMetrics(name, table, metric));
  const namespace = metricsNamespace(stage);
  const duration = (statistic: string) => line(search(namespace, perRoute, "duration", statistic));
  // The error metrics have no values for periods without errors; FILL draws these as 0.
  const topRoutes = (errors: string) =>
    line(`FILL(SORT(${search(namespace, perRoute, errors, Stats.SUM)}, SUM, DESC, 10), 0)`);
  const coldStarts = line(search(namespace, perFunction, "ColdStart", Stats.SUM));
  const options = { period: METRIC_PERIOD };
  const fastResponses = api.metricLatency({
    ...options,
    statistic: Stats.percentileRank(SLOW_MILLISECONDS),
  });

  new Dashboard(stack, "Dashboard", {
    // An account's dashboards share their names between its regions.
    dashboardName: `${stack.stackName}-${stack.region}`,
    widgets: [
      [
        graph("Requests", [api.metricCount(options)]),
        graph("Errors", [api.metricClientError(options), api.metricServerError(options)]),
        graph(`Responses within ${SLOW_MILLISECONDS / 1000} s (%)`, [fastResponses]),
      ],
      ["p50", "p90", "p99"].map((statistic) =>
        graph(`Duration per route, ${statistic}`, [duration(statistic)], "Milliseconds"),
      ),
      [
        graph("Client errors, top 10 routes", [topRoutes("clientErrors")], "Count"),
        graph("Server errors, top 10 routes", [topRoutes("serverErrors")], "Count"),
        ...logMetrics.counted.map(({ title, metric }) => graph(title, [metric])),
      ],
      [
        graph("Cold starts", [coldStarts], "Count"),
        graph("Concurrent executions", perLambda(functions, "ConcurrentExecutions", Stats.MAXIMUM)),
        graph("Throttled invocations", perLambda(functions, "Throttles", Stats.SUM)),
      ],
      [
        graph("Consumed read capacity", perTable("ConsumedReadCapacityUnits")),
        graph("Throttled reads", perTable("ReadThrottleEvents")),
      ],
      [
        graph("Consumed write capacity", perTable("ConsumedWriteCapacityUnits")),
        graph("Throttled writes", perTable("WriteThrottleEvents")),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[], unit?: Unit): GraphWidget {
  const axis = unit && { leftYAxis: { label: unit, showUnits: false } };
  return new GraphWidget({ title, left, width: 8, height: 6, ...axis });
}

function perLambda(functions: readonly LambdaFunction[], metric: string, statistic: string): IMetric[] {
  return functions.map((lambda) =>
    lambda.metric(metric, { statistic, period: METRIC_PERIOD, label: lambda.node.id }),
  );
}

function line(expression: string): IMetric {
  return new MathExpression({ expression, period: METRIC_PERIOD, label: "" });
}

/** One line per existing metric, so that new routes appear by themselves. Names with `/` must be quoted. */
function search(namespace: string, dimensions: readonly string[], metric: string, statistic: string): string {
  const schema = [namespace, ...dimensions].map((name) => `"${name}"`).join(",");
  return `SEARCH('{${schema}} MetricName="${metric}"', '${statistic}', ${METRIC_PERIOD.toSeconds()})`;
}
