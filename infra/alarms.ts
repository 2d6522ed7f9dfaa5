import { CfnOutput, Duration, type Stack } from "aws-cdk-lib";
import { ComparisonOperator, type Metric, Stats, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import type { Watched } from "./dashboard.ts";

const period = Duration.minutes(5);

/**
 * Alarms to a topic, whose ARN is an output of the stack: subscribe to it by e-mail or chat.
 *
 * They count occurrences instead of rates and want two periods of three, so that one bad request among few
 * wakes nobody; and silence is no alarm.
 */
export function alarms(stack: Stack, { api, tables, logMetrics }: Omit<Watched, "functions">): void {
  const topic = new Topic(stack, "Alarms", { enforceSSL: true });
  // A topic with a policy of its own lacks the default one, by which the account's alarms may publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": stack.account } },
    }),
  );
  const alarm = (id: string, metric: Metric, threshold: number, alarmDescription: string) =>
    metric
      .createAlarm(stack, id, {
        alarmDescription,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: 3,
        datapointsToAlarm: 2,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      })
      .addAlarmAction(new SnsAction(topic));

  alarm("ServerErrors", logMetrics.serverErrors, 5, "Requests end in a server error, or Lambda refuses them");
  alarm(
    "SlowAnswers",
    api.metricLatency({ statistic: Stats.p(99), period }),
    3_000,
    "Of a hundred answers one takes 3 s",
  );
  // Each by itself: a sum has no value where one of its metrics has none, and these have none unless throttled.
  for (const [name, table] of Object.entries(tables)) {
    for (const kind of ["Read", "Write"] as const) {
      const throttled = table.metric(`${kind}ThrottleEvents`, { statistic: Stats.SUM, period });
      const id = `Throttled${kind}sOf${table.node.id}`;
      alarm(id, throttled, 20, `DynamoDB throttles ${kind.toLowerCase()}s of the table of ${name}`);
    }
  }

  new CfnOutput(stack, "AlarmTopicArn", { value: topic.topicArn, description: "Where alarms are sent" });
}
