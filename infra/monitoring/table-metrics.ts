import { type Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { tables as declaredTables, type TableName } from "../../lib/areas.ts";
import type { Tables } from "../tables.ts";
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
export function tableMetrics(tables: Tables, name: TableName, metric: TableMetric): Metric[] {
  const table = tables[name];
  const options = { statistic: Stats.SUM, period };
  return [
    table.metric(metric, { ...options, label: name }),
    ...declaredTables[name].indexes.map((index) =>
      table.metric(metric, {
        ...options,
        label: `${name}/${index}`,
        dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: index },
      }),
    ),
  ];
}
