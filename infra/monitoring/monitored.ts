import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { RepairMetrics } from "../repair.ts";
import type { Tables } from "../tables.ts";
import type { LogMetrics } from "./log-metrics.ts";

/** The resources that the dashboard shows and the alarms check. */
export interface Monitored {
  readonly api: HttpApi;
  readonly functions: readonly LambdaFunction[];
  readonly tables: Tables;
  readonly logMetrics: LogMetrics;
  readonly repairMetrics: RepairMetrics;
}
