import { Duration } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Tables } from "../tables.ts";
import type { LogMetrics } from "./log-metrics.ts";

/** What the dashboard and the alarms watch. */
export interface Monitored {
  readonly api: HttpApi;
  readonly functions: readonly LambdaFunction[];
  readonly tables: Tables;
  readonly logMetrics: LogMetrics;
}

/** What a point on a graph stands for. */
export const period = Duration.minutes(5);

/** An answer that takes longer than this is a slow one. */
export const SLOW_MILLISECONDS = 3_000;
