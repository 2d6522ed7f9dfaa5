import type { Stack } from "aws-cdk-lib";
import { Dashboard, GraphWidget, type IMetric, MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { metricsNamespace } from "../functions.ts";
import type { Stage } from "../stages.ts";
import type { TableName } from "../tables.ts";
import { type Monitored, period, SLOW_MILLISECONDS } from "./monitored.ts";
import { tableMetrics } from "./table-metrics.ts";

/** The dimensions of the functions' own metrics (lib/http/log.ts), and the units that their axes are headed with. */
const perRoute = ["route", "service"];
const perFunction = ["function_name", "service"];
type Unit = "Milliseconds" | "Count";

/**
 * One dashboard: traffic, errors and time, all together and by route; cold starts and concurrency; and what the
 * tables and their indexes consume.
 */
export function dashboard(
  stack: Stack,
  stage: Stage,
  { api, functions, tables, logMetrics }: Monitored,
): void {
  const ofTables = (metric: Parameters<typeof tableMetrics>[2]) =>
    (Object.keys(tables) as TableName[]).flatMap((name) => tableMetrics(tables, name, metric));
  const namespace = metricsNamespace(stage);
  const time = (statistic: string) => line(search(namespace, perRoute, "duration", statistic));
  // There is a value only where there was an error: what lies between two of them is filled.
  const most = (errors: string) =>
    line(`FILL(SORT(${search(namespace, perRoute, errors, Stats.SUM)}, SUM, DESC, 10), 0)`);
  const coldStarts = line(search(namespace, perFunction, "ColdStart", Stats.SUM));
  const withinTime = api.metricLatency({ statistic: Stats.percentileRank(SLOW_MILLISECONDS), period });

  new Dashboard(stack, "Dashboard", {
    dashboardName: `resource-api-${stage.name}`,
    widgets: [
      [
        graph("Requests", [api.metricCount({ period })]),
        graph("Errors", [api.metricClientError({ period }), api.metricServerError({ period })]),
        graph(`Answers within ${SLOW_MILLISECONDS / 1000} s (%)`, [withinTime]),
      ],
      ["p50", "p90", "p99"].map((statistic) =>
        graph(`Time per route, ${statistic}`, [time(statistic)], "Milliseconds"),
      ),
      [
        graph("Client errors, the ten routes with most", [most("clientErrors")], "Count"),
        graph("Server errors, the ten routes with most", [most("serverErrors")], "Count"),
        graph("Orders beyond the stock, refused", [logMetrics.ordersBeyondStock]),
      ],
      [
        graph("Cold starts", [coldStarts], "Count"),
        graph("Environments at work", each(functions, "ConcurrentExecutions", Stats.MAXIMUM)),
        graph("Invocations refused by Lambda", each(functions, "Throttles", Stats.SUM)),
      ],
      [
        graph("Read units", ofTables("ConsumedReadCapacityUnits")),
        graph("Reads throttled by DynamoDB", ofTables("ReadThrottleEvents")),
      ],
      [
        graph("Write units", ofTables("ConsumedWriteCapacityUnits")),
        graph("Writes throttled by DynamoDB", ofTables("WriteThrottleEvents")),
      ],
    ],
  });
}

function graph(title: string, left: IMetric[], unit?: Unit): GraphWidget {
  const axis = unit && { leftYAxis: { label: unit, showUnits: false } };
  return new GraphWidget({ title, left, width: 8, height: 6, ...axis });
}

function each(functions: readonly LambdaFunction[], metric: string, statistic: string): IMetric[] {
  return functions.map((lambda) => lambda.metric(metric, { statistic, period, label: lambda.node.id }));
}

function line(expression: string): IMetric {
  return new MathExpression({ expression, period, label: "" });
}

/**
 * One line for each metric that there is, also for those of routes to come. What is not only letters and digits
 * has to be quoted ("CloudWatch search expression syntax").
 */
function search(namespace: string, dimensions: readonly string[], metric: string, statistic: string): string {
  const schema = [namespace, ...dimensions].map((name) => `"${name}"`).join(",");
  return `SEARCH('{${schema}} MetricName="${metric}"', '${statistic}', ${period.toSeconds()})`;
}
