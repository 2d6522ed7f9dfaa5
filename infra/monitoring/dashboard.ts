import { Duration, type Stack } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  MathExpression,
  Stats,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Stage } from "../settings/stages.ts";
import type { createLogMetrics } from "./log-metrics.ts";
import { METRIC_PERIOD, math, metricsNamespace, SLOW_MILLISECONDS, tableMetrics } from "./metrics.ts";

export interface Monitored {
  readonly api: HttpApi;
  readonly functions: ReadonlyMap<string, LambdaFunction>;
  readonly tables: ReadonlyMap<string, ITable>;
  readonly failedJobs?: IQueue | undefined;
  readonly logMetrics: ReturnType<typeof createLogMetrics>;
}

// The dimensions of the functions' own metrics (lib/log/log.ts), and their units.
const perRoute = ["route", "service"];
const perArea = ["service"];
const perFunction = ["function_name", "service"];
type Unit = "Milliseconds" | "Count";

/** US dollars in us-east-1 (docs/figures/prices.md): of other regions the graph is a guide only. */
export const unitPrices = {
  perMillion: { gatewayRequests: 1, invocations: 0.2, readUnits: 0.125, writeUnits: 0.625 },
  /** Lambda on arm64. */
  gigabyteSecond: 0.0000133334,
} as const;

/** Answers four questions in this order: is it up, who suffers, what changed, what does it cost? */
export function dashboard(stack: Stack, stage: Stage, monitored: Monitored, alarms: readonly IAlarm[]): void {
  const { functions, tables, logMetrics } = monitored;
  const perTable = (metric: Parameters<typeof tableMetrics>[2]) =>
    [...tables].flatMap(([name, table]) => tableMetrics(name, table, metric));
  const namespace = metricsNamespace(stage);
  const duration = (statistic: string) => line(search(namespace, perRoute, "duration", statistic));
  // The error metrics have no values for periods without errors; FILL draws these as 0.
  const topRoutes = (errors: string) =>
    line(`FILL(SORT(${search(namespace, perRoute, errors, Stats.SUM)}, SUM, DESC, 10), 0)`);
  const ofAreas = line(`FILL(${search(namespace, perArea, "serverErrors", Stats.SUM)}, 0)`);
  const count = { unit: "Count" } as const;
  const coldStarts = line(search(namespace, perFunction, "ColdStart", Stats.SUM));
  const budget = stage.monthlyBudget && [{ value: stage.monthlyBudget / 30, label: "Budget for a day" }];

  new Dashboard(stack, "Dashboard", {
    // An account's dashboards share their names between its regions.
    dashboardName: `${stack.stackName}-${stack.region}`,
    widgets: [
      [title("Is it up?")],
      ...(alarms.length > 0 ? [[new AlarmStatusWidget({ alarms: [...alarms], width: 24, height: 4 })]] : []),
      isItUp(monitored),
      [title("Who suffers?")],
      [
        graph("Server errors by area", [ofAreas], count),
        graph("Server errors, top 10 routes", [topRoutes("serverErrors")], count),
        graph("Client errors, top 10 routes", [topRoutes("clientErrors")], count),
      ],
      ["p50", "p90", "p99"].map((statistic) =>
        graph(`Duration per route, ${statistic}`, [duration(statistic)], { unit: "Milliseconds" }),
      ),
      [
        graph("Throttled invocations", perLambda(functions, "Throttles", Stats.SUM)),
        graph("Throttled reads", perTable("ReadThrottleEvents")),
        graph("Throttled writes", perTable("WriteThrottleEvents")),
      ],
      [
        graph("Concurrent executions", perLambda(functions, "ConcurrentExecutions", Stats.MAXIMUM)),
        ...logMetrics.counted.flatMap(({ title, metric }) => (title ? [graph(title, [metric])] : [])),
      ],
      [title("What changed?")],
      [
        graph("Cold starts: many at once are a deployment", [coldStarts], count),
        graph("Invocations per version", [line(perVersion(stack))]),
      ],
      [title("What does it cost?")],
      [
        new GraphWidget({
          title: "Dollars a day for requests, functions and database",
          left: [dollarsPerDay(monitored)],
          width: 8,
          height: 6,
          ...(budget && { leftAnnotations: budget }),
        }),
        graph("Consumed read capacity", perTable("ConsumedReadCapacityUnits")),
        graph("Consumed write capacity", perTable("ConsumedWriteCapacityUnits")),
      ],
    ],
  });
}

function isItUp({ api, logMetrics }: Monitored): GraphWidget[] {
  const options = { period: METRIC_PERIOD };
  const fast = api.metricLatency({ ...options, statistic: Stats.percentileRank(SLOW_MILLISECONDS) });
  const metrics = { errors: logMetrics.serverErrors, requests: api.metricCount() };
  const share = "100 - 100 * FILL(errors, 0) / requests";
  const succeeded = math("Requests without a server error", share, metrics);
  return [
    graph("Without a server error (%)", [succeeded], { objective: 99.9 }),
    graph(`Responses within ${SLOW_MILLISECONDS / 1000} s (%)`, [fast], { objective: 99 }),
    graph("Requests", [api.metricCount(options)]),
  ];
}

/** Without logs, which requests determine, and what has a price by the month. */
function dollarsPerDay({ api, functions, tables }: Monitored): IMetric {
  const { perMillion, gigabyteSecond } = unitPrices;
  const period = Duration.days(1);
  const priced: [price: number, metric: IMetric][] = [
    [(perMillion.gatewayRequests + perMillion.invocations) / 1e6, api.metricCount()],
    ...[...functions.values()].map((lambda): [number, IMetric] => [
      // A duration is in milliseconds.
      (gigabyteSecond * ((lambda.node.defaultChild as CfnFunction).memorySize ?? 0)) / 1_024 / 1_000,
      lambda.metricDuration({ statistic: Stats.SUM }),
    ]),
    ...(["Read", "Write"] as const).flatMap((kind) =>
      [...tables].flatMap(([name, table]) =>
        tableMetrics(name, table, `Consumed${kind}CapacityUnits`).map((metric): [number, IMetric] => [
          perMillion[kind === "Read" ? "readUnits" : "writeUnits"] / 1e6,
          metric,
        ]),
      ),
    ),
  ];
  const terms = priced.map(([price], i) => `FILL(m${i}, 0) * ${price.toFixed(12)}`);
  const usingMetrics = Object.fromEntries(priced.map(([, metric], i) => [`m${i}`, metric]));
  return math("Dollars", terms.join(" + "), usingMetrics, period);
}

function perVersion(stack: Stack): string {
  return `SEARCH('{AWS/Lambda,FunctionName,Resource,ExecutedVersion} ${stack.stackName} MetricName="Invocations"', 'Sum', ${METRIC_PERIOD.toSeconds()})`;
}

function title(markdown: string): TextWidget {
  return new TextWidget({ markdown: `## ${markdown}`, width: 24, height: 1 });
}

function graph(
  title: string,
  left: IMetric[],
  { unit, objective }: { readonly unit?: Unit; readonly objective?: number } = {},
): GraphWidget {
  const axis = unit && { leftYAxis: { label: unit, showUnits: false } };
  const line = objective && { leftAnnotations: [{ value: objective, label: "Default objective" }] };
  return new GraphWidget({ title, left, width: 8, height: 6, ...axis, ...line });
}

function perLambda(functions: Monitored["functions"], metric: string, statistic: string): IMetric[] {
  return [...functions.values()].map((lambda) =>
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
