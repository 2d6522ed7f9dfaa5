import { resourcesOf, stageTemplate } from "./templates.ts";

interface LogMetric {
  /** The logical id of its log group. */
  readonly logGroup: string;
  readonly pattern: string;
}

/**
 * A metric that dev counts in logs.
 *
 * @throws Error if there is none with this name
 */
export function logMetric(name: string): LogMetric {
  const filters = resourcesOf(stageTemplate("dev"), "AWS::Logs::MetricFilter");
  const found = filters.find(([, each]) => each.Properties.MetricTransformations[0].MetricName === name);
  if (!found) throw new Error(`The template has no filter for ${name}`);
  const [, { Properties }] = found;
  return { logGroup: String(Properties.LogGroupName.Ref), pattern: String(Properties.FilterPattern) };
}
