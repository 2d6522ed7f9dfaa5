import type { Template } from "aws-cdk-lib/assertions";
import { allRoutes, functionOf as functionOfArea, routesByArea } from "../../functions/definitions.ts";
import { resourcesOf } from "../../test/support/infra/templates.ts";

/** What a stack costs per month, independent of its traffic. */
export interface FixedCosts {
  readonly secrets: number;
  /** By what the alarms are for. */
  readonly alarmMetrics: Readonly<Record<"objectives" | "rollouts" | "others", number>>;
  /** The metrics that the dashboard names; its searches find more. */
  readonly dashboardMetrics: number;
  /** The values of the metrics' dimension `route`. */
  readonly routeLabels: number;
  /** Cold starts and failures per function, and the metrics of log filters. */
  readonly otherMetrics: number;
  /** In megabytes, by function. */
  readonly memory: ReadonlyMap<string, number>;
}

/** Counts what is charged per month in the synthesized stack and the route declarations. */
export function fixedCosts(template: Template): FixedCosts {
  const of = (type: string) => resourcesOf(template, type).map(([, { Properties }]) => Properties);
  const [{ DashboardBody }] = of("AWS::CloudWatch::Dashboard");
  const pieces: unknown[] = DashboardBody["Fn::Join"][1];
  const body = JSON.parse(pieces.map((piece) => (typeof piece === "string" ? piece : "reference")).join(""));
  // What rolls out versions has its code in the template, and runs for a second per deployment.
  const functions = of("AWS::Lambda::Function").filter(({ Code }) => Code.ZipFile === undefined);
  const patterns = Object.values(routesByArea).flatMap((routes) => routes.map(({ pattern }) => pattern));
  // An operation whose path ends in a slash belongs to two functions (docs/adr/0001).
  const servedTwice = patterns.filter((pattern) => /.\/$/.test(pattern)).length;
  // Functions with a not-found handler use the label `unmatched`.
  const unmatchedLabels = 1 + new Set(allRoutes.flatMap(({ prefix = [] }) => prefix)).size;
  return {
    secrets: of("AWS::SecretsManager::Secret").length,
    alarmMetrics: alarmMetrics(template),
    dashboardMetrics: body.widgets.flatMap(
      ({ properties }: { properties: { metrics: unknown[] } }) => properties.metrics,
    ).length,
    routeLabels: patterns.length + servedTwice + unmatchedLabels,
    otherMetrics: 2 * functions.length + of("AWS::Logs::MetricFilter").length,
    memory: new Map(functions.map((each) => [each.Environment?.Variables.SERVICE_NAME, each.MemorySize])),
  };
}

function alarmMetrics(template: Template) {
  const counts = { objectives: 0, rollouts: 0, others: 0 };
  for (const [id, { Properties }] of resourcesOf(template, "AWS::CloudWatch::Alarm")) {
    const { Metrics = [{ MetricStat: {} }] } = Properties;
    const kind = /^(BurnRate|SlowBurn)/.test(id)
      ? "objectives"
      : id.includes("Rollout")
        ? "rollouts"
        : "others";
    counts[kind] += Metrics.filter(({ MetricStat }: { MetricStat?: unknown }) => MetricStat).length;
  }
  return counts;
}

/** The function that handles a route. */
export function functionOf(key: string): string {
  const areas = Object.entries(routesByArea);
  const [area] = areas.find(([, routes]) => routes.some((route) => route.key === key)) ?? [];
  if (area === undefined) throw new Error(`There is no route ${key}`);
  return functionOfArea(area);
}
