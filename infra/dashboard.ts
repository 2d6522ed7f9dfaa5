import { Duration, type Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Dashboard, GraphWidget, type IMetric, MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { metricsNamespace } from "./functions.ts";
import type { LogMetrics } from "./log-metrics.ts";
import type { Stage } from "./stages.ts";
import type { Tables } from "./tables.ts";

const period = Duration.minutes(5);

/** What the dashboard and the alarms watch. */
export interface Watched {
  readonly api: HttpApi;
  readonly functions: readonly LambdaFunction[];
  readonly tables: Tables;
  readonly logMetrics: LogMetrics;
}

/** One dashboard: traffic, errors, time per route, cold starts and concurrency, and what the tables consume. */
export function dashboard(stack: Stack, stage: Stage, watched: Watched): void {
  const { api, functions, tables, logMetrics } = watched;
  const perTable = (metric: string, statistic: string) =>
    Object.values(tables).map((table) => table.metric(metric, { statistic, period, label: table.node.id }));

  new Dashboard(stack, "Dashboard", {
    dashboardName: `resource-api-${stage.name}`,
    widgets: [
      [
        graph("Requests", [api.metricCount({ period })]),
        graph("Errors", [api.metricClientError({ period }), api.metricServerError({ period })]),
        graph("Orders beyond the stock, refused", [logMetrics.ordersBeyondStock]),
      ],
      ["p50", "p90", "p99"].map((statistic) =>
        graph(`Time per route, ${statistic} (ms)`, [perRoute(stage, statistic)]),
      ),
      [
        graph("Cold starts", [search(stage, ["function_name", "service"], "ColdStart", Stats.SUM)]),
        graph("Environments at work", each(functions, "ConcurrentExecutions", Stats.MAXIMUM)),
        graph("Invocations refused by Lambda", each(functions, "Throttles", Stats.SUM)),
      ],
      [
        graph("Read units", perTable("ConsumedReadCapacityUnits", Stats.SUM)),
        graph("Write units", perTable("ConsumedWriteCapacityUnits", Stats.SUM)),
        graph("Throttled by DynamoDB", [
          ...perTable("ReadThrottleEvents", Stats.SUM),
          ...perTable("WriteThrottleEvents", Stats.SUM),
        ]),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}

function each(functions: readonly LambdaFunction[], metric: string, statistic: string): IMetric[] {
  return functions.map((lambda) => lambda.metric(metric, { statistic, period, label: lambda.node.id }));
}

/** The functions' own metric, which is labelled with the route's template. */
function perRoute(stage: Stage, statistic: string): IMetric {
  return search(stage, ["route", "service"], "duration", statistic);
}

/**
 * One line for each metric that there is, also for those of routes to come. What is not only letters and digits
 * has to be quoted ("CloudWatch search expression syntax").
 */
function search(stage: Stage, dimensions: readonly string[], metric: string, statistic: string): IMetric {
  const schema = [metricsNamespace(stage), ...dimensions].map((name) => `"${name}"`).join(",");
  return new MathExpression({
    expression: `SEARCH('{${schema}} MetricName="${metric}"', '${statistic}', ${period.toSeconds()})`,
    period,
    label: "",
  });
}
