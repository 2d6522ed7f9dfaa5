import { resourcesOf, stageTemplate } from "./templates.ts";

interface LogMetric {
  readonly logGroup: string;
  readonly pattern: string;
}

export function logMetric(name: string): LogMetric {
  const filters = resourcesOf(stageTemplate("dev"), "AWS::Logs::MetricFilter");
  const found = filters.find(([, each]) => each.Properties.MetricTransformations[0].MetricName === name);
  if (!found) throw new Error(`The template has no filter for ${name}`);
  const [, { Properties }] = found;
  return { logGroup: String(Properties.LogGroupName.Ref), pattern: String(Properties.FilterPattern) };
}
