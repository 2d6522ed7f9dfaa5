import { type Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { globalIndexesOf, type TableName, type Tables } from "../tables.ts";
import { period } from "./monitored.ts";

type TableMetric =
  | "ConsumedReadCapacityUnits"
  | "ConsumedWriteCapacityUnits"
  | "ReadThrottleEvents"
  | "WriteThrottleEvents";

/**
 * A metric of a table and of each of its global indexes: the table's own does not include theirs, which have both
 * dimensions ("DynamoDB metrics and dimensions").
 *
 * @returns sums, the table's first
 */
export function tableMetrics(tables: Tables, name: TableName, metric: TableMetric): Metric[] {
  const table = tables[name];
  const options = { statistic: Stats.SUM, period };
  return [
    table.metric(metric, { ...options, label: name }),
    ...globalIndexesOf(name).map((index) =>
      table.metric(metric, {
        ...options,
        label: `${name}/${index}`,
        dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: index },
      }),
    ),
  ];
}
