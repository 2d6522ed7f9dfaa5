import { type Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { tables as definitions } from "../../functions/definitions.ts";
import { period } from "./metrics.ts";

type TableMetric =
  | "ConsumedReadCapacityUnits"
  | "ConsumedWriteCapacityUnits"
  | "ReadThrottleEvents"
  | "WriteThrottleEvents";

/**
 * A metric of a table and of each of its global indexes, as sums. A table's metrics do not include its global
 * indexes, which have a dimension of their own (DynamoDB documentation, "DynamoDB metrics and dimensions").
 */
export function tableMetrics(name: string, table: ITable, metric: TableMetric): Metric[] {
  const options = { statistic: Stats.SUM, period };
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
