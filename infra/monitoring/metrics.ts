import { Duration } from "aws-cdk-lib";
import { SERVICE_NAME } from "../../lib/construct-ids.ts";
import type { Stage } from "../stages.ts";

/** The time that one value of a metric covers, on graphs and in alarms. */
export const period = Duration.minutes(5);

/** Responses that take longer are slow. */
export const SLOW_MILLISECONDS = 3_000;

/** The CloudWatch namespace of the functions' own metrics. */
export function metricsNamespace(stage: Stage): string {
  return `${SERVICE_NAME}/${stage.name}`;
}
