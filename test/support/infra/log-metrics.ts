import { resourcesOf, stageTemplate } from "./templates.ts";

interface LogMetric {
  /** The logical id of its log group. */
  readonly logGroup: string;
  readonly pattern: string;
}

/** The metrics that dev counts in logs, by name. */
export function logMetrics(): ReadonlyMap<string, LogMetric> {
  return new Map(
    resourcesOf(stageTemplate("dev"), "AWS::Logs::MetricFilter").map(([, { Properties }]) => [
      String(Properties.MetricTransformations[0].MetricName),
      { logGroup: String(Properties.LogGroupName.Ref), pattern: String(Properties.FilterPattern) },
    ]),
  );
}

/** @throws Error if there is none with this name */
export function logMetric(name: string): LogMetric {
  const metric = logMetrics().get(name);
  if (!metric) throw new Error(`The template has no filter for ${name}`);
  return metric;
}
