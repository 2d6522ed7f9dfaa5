import type { Duration } from "aws-cdk-lib";
import { MathExpression, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { TableName, Tables } from "../tables.ts";
import { type Monitored, period, SLOW_MILLISECONDS } from "./monitored.ts";
import { tableMetrics } from "./table-metrics.ts";

/** Of which requests a share is looked at. */
export interface Sample {
  /** So many bad ones, or their share says nothing. */
  readonly atLeast: number;
  readonly period: Duration;
}

/** The share, from 0 to 1, of the requests that end in a server error; 0 for too few of them. */
export function shareOfServerErrors(
  { api, logMetrics }: Pick<Monitored, "api" | "logMetrics">,
  sample: Sample,
) {
  return new MathExpression({
    // Where nothing fails, nothing is counted.
    expression: `IF(FILL(errors, 0) >= ${sample.atLeast}, errors / requests, 0)`,
    usingMetrics: { errors: logMetrics.serverErrors, requests: api.metricCount() },
    period: sample.period,
    label: "Share of server errors",
  });
}

/** The share, from 0 to 1, of the answers that are slow; 0 for too few of them. */
export function shareOfSlowAnswers({ api }: Pick<Monitored, "api">, sample: Sample) {
  return new MathExpression({
    expression: `IF((100 - quick) / 100 * requests >= ${sample.atLeast}, (100 - quick) / 100, 0)`,
    usingMetrics: {
      quick: api.metricLatency({ statistic: Stats.percentileRank(SLOW_MILLISECONDS) }),
      requests: api.metricLatency({ statistic: Stats.SAMPLE_COUNT }),
    },
    period: sample.period,
    label: "Share of slow answers",
  });
}

/** How much DynamoDB has throttled of a table and its global indexes, reads and writes added up. */
export function throttled(tables: Tables, name: TableName) {
  const metrics = (["ReadThrottleEvents", "WriteThrottleEvents"] as const).flatMap((metric) =>
    tableMetrics(tables, name, metric),
  );
  const usingMetrics = Object.fromEntries(metrics.map((metric, at) => [`m${at}`, metric]));
  return new MathExpression({
    // A metric has a value only where something was throttled, and a sum of missing values has none.
    expression: `SUM([${Object.keys(usingMetrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(", ")}])`,
    usingMetrics,
    period,
    label: "Throttled",
  });
}
