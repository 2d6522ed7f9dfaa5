import { Duration } from "aws-cdk-lib";
import { type IMetric, MathExpression, type Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { tables as definitions } from "../../functions/definitions.ts";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import type { Stage } from "../settings/stages.ts";

/** The time that one value of a metric covers, on graphs and in alarms. */
export const METRIC_PERIOD = Duration.minutes(5);

export const SLOW_MILLISECONDS = 1_000;

export function metricsNamespace(stage: Stage): string {
  return `${SERVICE_NAME}/${stage.name}`;
}

/** The sums of a table's metric, which does not include its global indexes, and of each of these. */
export function tableMetrics(
  name: string,
  table: ITable,
  metric: `Consumed${"Read" | "Write"}CapacityUnits` | `${"Read" | "Write"}ThrottleEvents`,
): Metric[] {
  const options = { statistic: Stats.SUM, period: METRIC_PERIOD };
  return [
    table.metric(metric, { ...options, label: name }),
    ...Object.keys(definitions[name]?.indexes ?? {}).map((index) =>
      table.metric(metric, {
        ...options,
        label: `${name}/${index}`,
        dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: index },
      }),
    ),
  ];
}

/** What a graph or an alarm computes out of metrics. */
export function math(
  label: string,
  expression: string,
  usingMetrics: Readonly<Record<string, IMetric>>,
  period = METRIC_PERIOD,
): MathExpression {
  return new MathExpression({ label, expression, usingMetrics: { ...usingMetrics }, period });
}
