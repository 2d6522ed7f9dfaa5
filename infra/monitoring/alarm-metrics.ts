import { Duration } from "aws-cdk-lib";
import { MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { Alias } from "aws-cdk-lib/aws-lambda";
import type { Stage } from "../stages.ts";
import type { Monitored } from "./dashboard.ts";
import { METRIC_PERIOD, metricsNamespace, SLOW_MILLISECONDS, tableMetrics } from "./metrics.ts";

type Sources = Pick<Monitored, "api" | "logMetrics">;

/** The share of requests with a server error, from 0 to 1; with fewer errors than the minimum, 0. */
export function serverErrorShare({ api, logMetrics }: Sources, minimum: number, period: Duration) {
  return new MathExpression({
    // The error metric has no value for periods without errors.
    expression: `IF(FILL(errors, 0) >= ${minimum}, errors / requests, 0)`,
    usingMetrics: { errors: logMetrics.serverErrors, requests: api.metricCount() },
    period,
    label: "Share of server errors",
  });
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
  return new MathExpression({
    expression: "(FILL(crashed, 0) + FILL(failed, 0)) / invoked",
    usingMetrics: {
      crashed: new Metric({ metricName: "Errors", ...ofVersion, ...options }),
      failed: new Metric({
        namespace: metricsNamespace(stage),
        metricName: "serverErrors",
        dimensionsMap: { service: name, function_version: version },
        ...options,
      }),
      invoked: new Metric({ metricName: "Invocations", ...ofVersion, ...options }),
    },
    period: options.period,
    label: "Share of failing requests",
  });
}

/** The share of slow responses, from 0 to 1; with fewer than the minimum, 0. */
export function slowResponseShare({ api }: Sources, minimum: number, period: Duration) {
  return new MathExpression({
    expression: `IF((100 - fast) / 100 * requests >= ${minimum}, (100 - fast) / 100, 0)`,
    usingMetrics: {
      fast: api.metricLatency({ statistic: Stats.percentileRank(SLOW_MILLISECONDS) }),
      requests: api.metricLatency({ statistic: Stats.SAMPLE_COUNT }),
    },
    period,
    label: "Share of slow responses",
  });
}

export function throttledRequests(name: string, table: ITable) {
  const metrics = (["ReadThrottleEvents", "WriteThrottleEvents"] as const).flatMap((metric) =>
    tableMetrics(name, table, metric),
  );
  const usingMetrics = Object.fromEntries(metrics.map((metric, i) => [`m${i}`, metric]));
  return new MathExpression({
    // Metrics have no values for periods without throttling, and a sum with missing values has none.
    expression: `SUM([${Object.keys(usingMetrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(", ")}])`,
    usingMetrics,
    period: METRIC_PERIOD,
    label: "Throttled requests",
  });
}
