import { Duration } from "aws-cdk-lib";
import { type MathExpression, Metric, type MetricOptions, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Alias, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { objectiveOf, SLOW_SHARE } from "../settings/objectives.ts";
import type { Stage } from "../settings/stages.ts";
import type { Monitored } from "./dashboard.ts";
import { METRIC_PERIOD, math, metricsNamespace, tableMetrics } from "./metrics.ts";

type Sources = Pick<Monitored, "api" | "logMetrics">;

/** The share of requests with a server error, from 0 to 1; with fewer errors than the minimum, 0. */
export function serverErrorShare({ api, logMetrics }: Sources, minimum: number, period: Duration) {
  // The error metric has no value for periods without errors.
  const expression = `IF(FILL(errors, 0) >= ${minimum}, errors / requests, 0)`;
  const metrics = { errors: logMetrics.serverErrors, requests: api.metricCount() };
  return math("Share of server errors", expression, metrics, period);
}

/** The share of requests that were refused for a missing or wrong credential, or because they were too many. */
export function refusedShare({ api, logMetrics }: Sources) {
  // Below 100, a single client with an old token is a large share.
  const expression = "IF(FILL(refused, 0) >= 100, refused / requests, 0)";
  const metrics = { refused: logMetrics.refused, requests: api.metricCount() };
  return math("Share of refused requests", expression, metrics);
}

/**
 * How many times faster than its objective allows an area uses up its failed, or its slow requests. A single
 * failure counts a fifth: it is enough among a dozen requests, and chance among more. At least three have to
 * be slow: anybody can ask for a route that reads a whole table.
 */
export function burnRate(stage: Stage, name: string, lambda: LambdaFunction) {
  const { failingShare, milliseconds } = objectiveOf(stage, name);
  const options = { statistic: Stats.SUM, period: METRIC_PERIOD };
  const failing = `(FILL(crashed, 0) + FILL(failed, 0) - 0.8) / invoked / ${failingShare}`;
  const slow = `IF((100 - fast) * invoked >= 300, (100 - fast) / ${100 * SLOW_SHARE}, 0)`;
  return math("Burn rate", `MAX([${failing}, ${slow}])`, {
    crashed: lambda.metricErrors(options),
    failed: failures(stage, { service: name }, options),
    invoked: lambda.metricInvocations(options),
    fast: lambda.metricDuration({ ...options, statistic: Stats.percentileRank(milliseconds) }),
  });
}

/** Server errors that no client can cause on purpose (lib/log/log.ts). */
function failures(stage: Stage, dimensionsMap: Record<string, string>, options: MetricOptions) {
  const namespace = metricsNamespace(stage);
  return new Metric({ namespace, metricName: "serverErrors", dimensionsMap, ...options });
}

/** The share of requests to a function's newest version that crash it or get a server error, a minute. */
export function failingShare(stage: Stage, name: string, alias: Alias) {
  const { functionName: FunctionName } = alias.lambda;
  const { version } = alias.version;
  const ofVersion = {
    dimensionsMap: { FunctionName, Resource: `${FunctionName}:${alias.aliasName}`, ExecutedVersion: version },
    namespace: "AWS/Lambda",
  };
  const options = { statistic: Stats.SUM, period: Duration.minutes(1) };
  const metrics = {
    crashed: new Metric({ metricName: "Errors", ...ofVersion, ...options }),
    failed: failures(stage, { service: name, function_version: version }, options),
    invoked: new Metric({ metricName: "Invocations", ...ofVersion, ...options }),
  };
  const expression = "(FILL(crashed, 0) + FILL(failed, 0)) / invoked";
  return math("Share of failing requests", expression, metrics, options.period);
}

/** An expression of an alarm has at most this many metrics. */
const MAX_ALARM_METRICS = 10;

/** Of a table and its indexes, in as many expressions as that takes: from the fifth index on, two. */
export function throttledRequests(name: string, table: ITable): MathExpression[] {
  const metrics = (["ReadThrottleEvents", "WriteThrottleEvents"] as const).flatMap((metric) =>
    tableMetrics(name, table, metric),
  );
  const count = Math.ceil(metrics.length / MAX_ALARM_METRICS);
  return Array.from({ length: count }, (_, part) => sumOf(metrics.filter((_, i) => i % count === part)));
}

function sumOf(metrics: readonly Metric[]): MathExpression {
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]));
  // Metrics have no values for periods without throttling, and a sum with missing values has none.
  const terms = Object.keys(usingMetrics).map((id) => `FILL(${id}, 0)`);
  return math("Throttled requests", `SUM([${terms.join(", ")}])`, usingMetrics);
}

/** 1 for each visit that failed, and for a period without one. */
export function failedVisits(visitor: LambdaFunction) {
  const options = { statistic: Stats.SUM, period: METRIC_PERIOD };
  const metrics = { visits: visitor.metricInvocations(options), failed: visitor.metricErrors(options) };
  return math("Failed visits", "IF(FILL(visits, 0) == 0, 1, FILL(failed, 0))", metrics);
}

/** The percentage of the account's quota of concurrent executions that is in use, in the whole region. */
export function usedConcurrency() {
  const metric = new Metric({
    namespace: "AWS/Usage",
    metricName: "ResourceCount",
    dimensionsMap: { Type: "Resource", Resource: "ConcurrentExecutions", Service: "Lambda", Class: "None" },
    statistic: Stats.MAXIMUM,
  });
  return math("Used concurrency (%)", "used / SERVICE_QUOTA(used) * 100", { used: metric });
}

/** The bytes that all log groups of the account and region get in an hour. */
export function loggedBytes() {
  return new Metric({
    namespace: "AWS/Logs",
    metricName: "IncomingBytes",
    statistic: Stats.SUM,
    period: Duration.hours(1),
  });
}
