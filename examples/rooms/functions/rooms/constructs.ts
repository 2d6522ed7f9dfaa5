import { Duration } from "aws-cdk-lib";
import { Rule, RuleTargetInput, Schedule } from "aws-cdk-lib/aws-events";
import { SqsQueue } from "aws-cdk-lib/aws-events-targets";
import { Queue } from "aws-cdk-lib/aws-sqs";
import type { AreaConstructs } from "../define-area.ts";

/** Tells the cleaners each evening that they can read which rooms were used. */
export const constructs: AreaConstructs = (scope) => {
  const failed = new Queue(scope, "FailedCleaning", { enforceSSL: true, retentionPeriod: Duration.days(14) });
  const cleaning = new Queue(scope, "Cleaning", {
    enforceSSL: true,
    deadLetterQueue: { queue: failed, maxReceiveCount: 3 },
  });
  new Rule(scope, "Evening", {
    schedule: Schedule.cron({ hour: "18", minute: "0" }),
    targets: [new SqsQueue(cleaning, { message: RuleTargetInput.fromText("Clean the rooms") })],
  });
};
