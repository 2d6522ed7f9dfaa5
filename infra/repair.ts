import { Duration, type Stack } from "aws-cdk-lib";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { Rule, Schedule } from "aws-cdk-lib/aws-events";
import { LambdaFunction as LambdaTarget } from "aws-cdk-lib/aws-events-targets";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { SERVICE_NAME } from "../lib/construct-ids.ts";
import { math, metricsNamespace } from "./monitoring/metrics.ts";
import type { Stage } from "./settings/stages.ts";

/** Invokes the repair function once a day. @returns what the alarms check of it */
export function scheduleRepair(stack: Stack, stage: Stage, repair: LambdaFunction) {
  new Rule(stack, "DailyRepair", {
    description: `${SERVICE_NAME} ${stage.name}: repairs what crashes and outages left behind`,
    schedule: Schedule.rate(Duration.days(1)),
    targets: [new LambdaTarget(repair)],
  });
  const period = Duration.hours(1);
  const runs = repair.metricInvocations({ statistic: Stats.SUM });
  return {
    /** What the repair and requests found to be damaged; no data if there was nothing. */
    damages: new Metric({
      namespace: metricsNamespace(stage),
      metricName: "damages",
      statistic: Stats.SUM,
      period,
    }),
    /** Failed attempts. Lambda makes three. */
    failures: repair.metricErrors({ statistic: Stats.SUM, period }),
    /** 0 for a day with a run, no value for one without. */
    isMissing: math("Missing runs", "IF(runs > 0, 0, 1)", { runs }, Duration.days(1)),
  };
}
