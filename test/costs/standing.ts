import type { Template } from "aws-cdk-lib/assertions";
import { groupsByPrefix, routesByGroup } from "../../functions/routes.ts";
import { resourcesOf } from "../support/templates.ts";

/** What a stack is charged for by the month, whatever its traffic. */
export interface Standing {
  readonly secrets: number;
  /** Metrics that alarms look at, an alarm by its metrics. */
  readonly alarmMetrics: number;
  /** Metrics of the functions' own with each value of `route`. */
  readonly routeLabels: number;
  /** Cold starts by function, and what is counted in logs. */
  readonly otherMetrics: number;
  /** Megabytes of memory, by function. */
  readonly memory: ReadonlyMap<string, number>;
}

/** Counts in the synthesized stack, and in the route declarations, what is charged for by the month. */
export function standing(template: Template): Standing {
  const of = (type: string) => resourcesOf(template, type).map(([, { Properties }]) => Properties);
  const functions = of("AWS::Lambda::Function");
  const patterns = Object.values(routesByGroup).flatMap((routes) => routes.map(({ pattern }) => pattern));
  // Two functions hold an operation whose path ends in a slash (docs/adr/0001).
  const heldTwice = patterns.filter((pattern) => /.\/$/.test(pattern)).length;
  // The fallback, and those that answer for all below a prefix, say `unmatched`.
  const unmatched = 1 + Object.keys(groupsByPrefix).length;
  return {
    secrets: of("AWS::SecretsManager::Secret").length,
    alarmMetrics: of("AWS::CloudWatch::Alarm")
      .map(({ Metrics = [{ MetricStat: {} }] }) =>
        Metrics.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat),
      )
      .map(({ length }) => length)
      .reduce((sum, each) => sum + each, 0),
    routeLabels: patterns.length + heldTwice + unmatched,
    otherMetrics: functions.length + of("AWS::Logs::MetricFilter").length,
    memory: new Map(
      functions.map(({ Environment, MemorySize }) => [
        Environment.Variables.POWERTOOLS_SERVICE_NAME,
        MemorySize,
      ]),
    ),
  };
}

/** The function that answers a route, by its folder. */
export function functionOf(key: string): string {
  const [group] = Object.entries(routesByGroup).flatMap(([name, routes]) =>
    routes.some(({ method, pattern }) => `${method} ${pattern}` === key) ? [name] : [],
  );
  if (group === undefined) throw new Error(`There is no route ${key}`);
  return group;
}
